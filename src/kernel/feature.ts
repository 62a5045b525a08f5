import type { AnyElysia } from "elysia";
import { type Migration, migrationsOf } from "./db/migrate.ts";
import type { ErrorTable } from "./http/errors.ts";
import type { Job } from "./jobs.ts";
import type { SettingTable } from "./settings.ts";

/** What a feature brings to its program. Everything is optional but the name. */
export interface Feature<Ctx> {
  name: string;
  /** Features that must stand before this one; only these may be imported (through their index). */
  requires?: readonly string[];
  /** SQL texts in order; numbered from 1. */
  migrations?: readonly string[];
  /** The same for databases beside the main one, by the database's name. */
  otherMigrations?: Readonly<Record<string, readonly string[]>>;
  /** Error codes this feature may answer. */
  errors?: ErrorTable;
  /** Settings this feature reads. */
  settings?: SettingTable;
  routes?(ctx: Ctx): AnyElysia;
  jobs?(ctx: Ctx): Job[];
  /** Reacts to bus events; called before `start`. */
  subscribe?(ctx: Ctx): void;
  /** Begins outside work once the program listens; must end when `ctx.signal` aborts. */
  start?(ctx: Ctx): void | Promise<void>;
  /** Called on shutdown, in reverse boot order, before the databases close. */
  stop?(ctx: Ctx): void | Promise<void>;
}

/** Declares a feature; the type parameter is the program's context. */
export function defineFeature<Ctx>(feature: Feature<Ctx>): Feature<Ctx> {
  return feature;
}

/** Throws when names clash, a requirement is missing or comes later, or two features declare the same error code. */
export function checkFeatures<Ctx>(features: readonly Feature<Ctx>[], kernelErrors: ErrorTable): void {
  const seen = new Set<string>();
  const codes = new Set(Object.keys(kernelErrors));
  for (const feature of features) {
    if (seen.has(feature.name)) throw new Error(`two features are called ${feature.name}`);
    for (const need of feature.requires ?? []) {
      if (!seen.has(need)) throw new Error(`feature ${feature.name} requires ${need}, which must come before it`);
    }
    for (const code of Object.keys(feature.errors ?? {})) {
      if (codes.has(code)) throw new Error(`error code ${code} of ${feature.name} is declared twice`);
      codes.add(code);
    }
    seen.add(feature.name);
  }
}

/** All migrations of a program in boot order: those of its main database, or of the one named `database`. */
export function collectMigrations<Ctx>(features: readonly Feature<Ctx>[], database?: string): Migration[] {
  return features.flatMap(({ name, migrations, otherMigrations }) =>
    migrationsOf(name, (database === undefined ? migrations : otherMigrations?.[database]) ?? []),
  );
}

/** All settings of a program; throws when two features declare the same key. */
export function collectSettings<Ctx>(features: readonly Feature<Ctx>[]): SettingTable {
  const table: SettingTable = {};
  for (const feature of features) {
    for (const [key, spec] of Object.entries(feature.settings ?? {})) {
      if (Object.hasOwn(table, key)) throw new Error(`setting ${key} of ${feature.name} is declared twice`);
      table[key] = spec;
    }
  }
  return table;
}
