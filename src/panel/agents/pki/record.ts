import { Value } from "@sinclair/typebox/value";
import { type Static, t } from "elysia";
import { NullableText } from "../../../kernel/http/schema.ts";
import type { Seal } from "../../../kernel/seal.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import { parseJson } from "../../../lib/json.ts";
import type { Rotation } from "./rotation.ts";
import { makeRootSlot, type Slot } from "./slot.ts";

/** Where the one record of the authority is kept. */
export interface AuthorityStore {
  load(): Promise<{ text: string; version: number } | null>;
  /**
   * Writes the record as version `expected + 1`, durably, and only if the stored version is `expected` (0 for none).
   * False when somebody else was first.
   */
  save(text: string, expected: number): Promise<boolean>;
}

export interface AuthorityDeps {
  store: AuthorityStore;
  seal: Seal;
  clock: Clock;
  ids: Ids;
}

/** Slots, at most two, and which of them signs. */
export interface AuthorityRecord {
  slots: Slot[];
  rotation: Rotation;
}

const StoredRecord = t.Object({
  slots: t.Array(
    t.Object({
      id: t.String(),
      root_pem: t.String(),
      root_key: t.String(),
      intermediate_pem: t.String(),
      intermediate_key: t.String(),
      cross_pem: NullableText,
      former_root_pem: NullableText,
    }),
    { minItems: 1, maxItems: 2 },
  ),
  rotation: t.Union([
    t.Object({ phase: t.Literal("steady"), signing: t.String() }),
    t.Object({
      phase: t.Literal("prepared"),
      signing: t.String(),
      other: t.String(),
      activateAt: t.Number(),
      forceAt: t.Number(),
    }),
    t.Object({
      phase: t.Literal("activated"),
      signing: t.String(),
      other: t.String(),
      since: t.Number(),
      otherUntil: t.Number(),
    }),
  ]),
});

/** Reads a stored record. Throws when it is damaged: an authority made anew in its place would cut off every node. */
export function parseRecord(text: string): AuthorityRecord {
  const record: unknown = parseJson(text);
  if (!Value.Check(StoredRecord, record)) throw new Error("the stored certificate authority is damaged; restore it");
  const read: Static<typeof StoredRecord> = record;
  return read;
}

/** The stored record; on the very first start a new root. Replicas that start together end up with the same one. */
export async function loadOrCreate(deps: AuthorityDeps): Promise<{ record: AuthorityRecord; version: number }> {
  const { store, seal, clock, ids } = deps;
  const stored = await store.load();
  if (stored) return { record: parseRecord(stored.text), version: stored.version };
  const slot = makeRootSlot(ids.next("ca"), seal, clock.now(), null);
  const record: AuthorityRecord = { slots: [slot], rotation: { phase: "steady", signing: slot.id } };
  if (await store.save(JSON.stringify(record), 0)) return { record, version: 1 };
  const winner = await store.load();
  if (!winner) throw new Error("the certificate authority could neither be stored nor read");
  return { record: parseRecord(winner.text), version: winner.version };
}
