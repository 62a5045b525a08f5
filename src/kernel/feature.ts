import type { AnyElysia } from "elysia";
import { type Migration, migrationsOf } from "./db/migrate.ts";
import type { ErrorTable } from "./http/errors.ts";
import type { BoundRoutes } from "./http/handlers.ts";
import type { Job } from "./jobs.ts";
import type { SettingTable } from "./settings.ts";

/** The static half of a feature: what is known of it before anything runs. Everything is optional but the name. */
export interface Feature<Meaning = unknown> {
  name: string;
  /** SQL texts in order; numbered from 1. */
  migrations?: readonly string[];
  /** The same for databases beside the main one, by the database's name. */
  otherMigrations?: Readonly<Record<string, readonly string[]>>;
  /** Error codes this feature may answer. */
  errors?: ErrorTable;
  /** Settings this feature reads. */
  settings?: SettingTable;
  /** What its events mean to people, by the event's name. */
  events?: Readonly<Record<string, Meaning>>;
}

/** The running half of a feature, made by its `create…`; what others may call stands beside these. */
export interface Part {
  /** The static half it belongs to. */
  feature: Feature;
  routes?: readonly BoundRoutes[];
  /** Routes that are no calls with JSON, such as web sockets. */
  plugin?(): AnyElysia;
  jobs?: readonly Job[];
  /** Reacts to bus events; called once all features have been made, before `start`. */
  subscribe?(): void;
  /** Begins outside work once the program listens; must end when the program's signal aborts. */
  start?(): void | Promise<void>;
  /** Called on shutdown, in reverse boot order, before the databases close. */
  stop?(): void | Promise<void>;
}

/** Declares the static half of a feature. */
export function defineFeature<const Declared extends Feature>(feature: Declared): Declared {
  return feature;
}

/** Throws when names clash or two features declare the same error code. */
export function checkFeatures(features: readonly Feature[], kernelErrors: ErrorTable): void {
  const seen = new Set<string>();
  const codes = new Set(Object.keys(kernelErrors));
  for (const feature of features) {
    if (seen.has(feature.name)) throw new Error(`two features are called ${feature.name}`);
    for (const code of Object.keys(feature.errors ?? {})) {
      if (codes.has(code)) throw new Error(`error code ${code} of ${feature.name} is declared twice`);
      codes.add(code);
    }
    seen.add(feature.name);
  }
}

/** All migrations of a program in boot order: those of its main database, or of the one named `database`. */
export function collectMigrations(features: readonly Feature[], database?: string): Migration[] {
  return features.flatMap(({ name, migrations, otherMigrations }) =>
    migrationsOf(name, (database === undefined ? migrations : otherMigrations?.[database]) ?? []),
  );
}

/** All settings of a program; throws when two features declare the same key. */
export function collectSettings(features: readonly Feature[]): SettingTable {
  const table: SettingTable = {};
  for (const feature of features) {
    for (const [key, spec] of Object.entries(feature.settings ?? {})) {
      if (Object.hasOwn(table, key)) throw new Error(`setting ${key} of ${feature.name} is declared twice`);
      table[key] = spec;
    }
  }
  return table;
}

/** What all events of a program mean, by their names; throws when two features declare the same event. */
export function collectMeanings<Meaning>(features: readonly Feature<Meaning>[]): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  for (const feature of features) {
    for (const [name, meaning] of Object.entries(feature.events ?? {})) {
      if (meanings.has(name)) throw new Error(`event ${name} of ${feature.name} is declared twice`);
      meanings.set(name, meaning);
    }
  }
  return meanings;
}
