/** Buckets and access keys: who may do what with the object store, through the dashboard and through the S3 protocol. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createList, type List } from "../../../kernel/list.ts";
import { createAccessTable } from "./access-table.ts";
import { createCheck } from "./check.ts";
import { COMPONENT, fail, type LifecycleRuleInput } from "./contract.ts";
import type { Driver, Elsewhere } from "./driver.ts";
import { adoptKey, type ForeignKey } from "./embedded/access-keys.ts";
import { createEmbedded } from "./embedded/driver.ts";
import { objectMeanings } from "./events.ts";
import { findKey } from "./key-store.ts";
import { createExpiry } from "./lifecycle/expire.ts";
import { readLifecycle } from "./lifecycle/rules.ts";
import init from "./migrations/0001_access_keys.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import type { Hold } from "./own.ts";
import { bindObjectRoutes } from "./routes.ts";
import { presentRule, readRules } from "./rules-input.ts";
import { createListener } from "./s3/listener.ts";

export { isBucketName } from "./bucket-name.ts";
export {
  COMPONENT,
  DRIVE_BUCKET,
  fail as objectsFail,
  MAX_KEY_BYTES,
  PART_LIMIT_BYTES,
  type StoredObject,
} from "./contract.ts";
export type { Driver, UploadPlace } from "./driver.ts";
export { etagOfParts } from "./etag.ts";
export { type Facts, noFacts } from "./facts.ts";
export { receiveObject } from "./receive-object.ts";
export { branch, childrenOf, type Element, leaf, parseXml, textOf, xmlDocument } from "./s3/xml.ts";
export { streamOf } from "./stream-of.ts";

/** The rules in a document of S3 as a bucket keeps them; null where this store has no such rules. */
export async function parseLifecycle(text: string): Promise<string | null> {
  // Most nodes never need it.
  const { parseRules } = await import("./s3/lifecycle.ts");
  return parseRules(text);
}

/** The rules in a document of S3 as people see them; null where it has others than there are here. */
export async function rulesIn(text: string): Promise<LifecycleRuleInput[] | null> {
  const kept = await parseLifecycle(text);
  return kept === null ? null : readLifecycle(kept).map(presentRule);
}

/** Rules as a document of S3. Throws `invalid_request` for those that say nothing, or two things at once. */
export async function rulesDocument(rules: readonly LifecycleRuleInput[]): Promise<string> {
  const { writeRules } = await import("./s3/lifecycle.ts");
  return writeRules(readRules(rules));
}

export const objectsFeature = defineFeature({
  name: "objects",
  migrations: [init],
  errors: fail.table,
  events: objectMeanings,
});

/** The object store as its users have it. */
export interface Objects extends Part {
  /** Who has a reason why keys or buckets cannot be made now. */
  holds: List<Hold>;
  /** Who keeps the objects instead of this server; the first that is not null does. */
  elsewhere: List<Elsewhere>;
  /** Takes over a key of another store; inside a transaction, and followed by `refresh`. */
  adoptKey(key: ForeignKey): void;
  /** The port of the S3 protocol. */
  port(): number;
  /** Looks anew which buckets there are and whether the port has to be open. */
  refresh(): void;
  /** Resolves when the port of the S3 protocol is as it should be. */
  settled(): Promise<void>;
  /** Resolves when no check of all bytes that somebody started goes on. */
  checked(): Promise<void>;
  stop(): Promise<void>;
}

const TITLE = "Object storage";
const SUMMARY = "Buckets for programs that speak S3, kept on this server's disk";

export function createObjects(needs: Needs): Objects {
  const access = createAccessTable(needs);
  const listener = createListener(needs, access);
  const check = createCheck(needs);
  const holds = createList<Hold>();
  const elsewhere = createList<Elsewhere>();
  const embedded = createEmbedded({ ...needs, access, listener, holds });

  async function driver(): Promise<Driver> {
    for (const ask of elsewhere.all()) {
      const found = await ask();
      if (found !== null) return found;
    }
    return embedded;
  }

  const piece = { option: null, title: TITLE, summary: SUMMARY, packages: [], units: [], mustRun: false };
  // It is part of the program: there unless somebody removed it, and its data stays then.
  needs.components.offer({
    id: COMPONENT,
    title: TITLE,
    summary: SUMMARY,
    ui: "/objects",
    requires: [],
    pieces: [{ ...piece, isFound: () => true }],
  });
  needs.lists.names.add((id) => (id.startsWith("OR") ? (findKey(needs.db, id)?.name ?? null) : null));
  return {
    feature: objectsFeature,
    routes: [bindObjectRoutes({ ...needs, check, driver })],
    subscribe: () => void needs.bus.on("components.changed", () => listener.refresh()),
    jobs: [createExpiry(needs), check.job],
    holds,
    elsewhere,
    adoptKey: (key) => adoptKey(needs, key),
    start: () => listener.refresh(),
    port: () => listener.info().port,
    refresh() {
      access.forget();
      listener.refresh();
    },
    settled: () => listener.settled(),
    checked: () => check.settled(),
    stop: () => listener.stop(),
  };
}
