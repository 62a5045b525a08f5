import type { Database } from "bun:sqlite";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { readIds } from "./apply-operation.ts";
import * as catalogue from "./catalogue-store.ts";
import { findFlippedBit } from "./mend.ts";
import type { Damaged, Operation, Outcome } from "./operations.ts";
import { DamagedBytes, readBlob, type Source } from "./read-blobs.ts";

/** How far the check of all bytes has come. */
export interface CheckState {
  /** When this round began, in milliseconds since 1970; null before the first. */
  startedAt: number | null;
  /** When it ended; null while it goes on. */
  finishedAt: number | null;
  /** The last blob that was looked at. */
  cursor: string;
  checkedBytes: number;
  /** All there were when it began. */
  totalBytes: number;
  /** Blobs that were put right. */
  mended: number;
}

/** What one step found. */
export interface CheckStep {
  state: CheckState;
  /** Damage that was not known before. */
  found: Damaged[];
  /** Names of objects that were put right. */
  mended: string[];
}

interface Needs extends Source {
  now: number;
  change(operation: Operation): Promise<Outcome>;
}

const MANY = 200;
/** Objects that are named for each blob. */
const NAMES = 5;
/** Larger ones are not searched for a flipped bit: it would hold up everybody else. */
const MENDABLE_BYTES = 4 * 1024 * 1024;

const numberOr = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The state as it was kept. */
export function readCheck(db: Database): CheckState {
  const given = parseJson(catalogue.readState(db, "check") ?? "null");
  const state = isRecord(given) ? given : {};
  return {
    startedAt: numberOr(state["startedAt"]),
    finishedAt: numberOr(state["finishedAt"]),
    cursor: typeof state["cursor"] === "string" ? state["cursor"] : "",
    checkedBytes: numberOr(state["checkedBytes"]) ?? 0,
    totalBytes: numberOr(state["totalBytes"]) ?? 0,
    mended: numberOr(state["mended"]) ?? 0,
  };
}

/** Reads a blob to its end. Null when it is as it was stored, or is gone by now; why not otherwise. */
async function judge(source: Needs, id: string): Promise<string | null> {
  try {
    for await (const _ of readBlob(source, id));
    return null;
  } catch (error) {
    if (catalogue.findBlob(source.db, id) === null) return null;
    if (error instanceof DamagedBytes) return error.message;
    // A disk that cannot read says so with an error of its own.
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Puts a single flipped bit right, where the whole object still has a sum to tell that it is. */
async function mend(needs: Needs, id: string, etag: string): Promise<boolean> {
  const { db, change } = needs;
  const blob = catalogue.findBlob(db, id);
  if (blob === null || blob.size > MENDABLE_BYTES || !/^[0-9a-f]{32}$/.test(etag)) return false;
  const parts: Uint8Array[] = [];
  try {
    for await (const part of readBlob(needs, id, false)) parts.push(part);
  } catch {
    return false;
  }
  const bytes = Buffer.concat(parts);
  // Of encrypted bytes it may be the proof alone that is damaged.
  if (Bun.hash.crc32(bytes) !== blob.crc) {
    const flipped = findFlippedBit(bytes, blob.crc);
    if (flipped === null) return false;
    bytes[flipped.offset] = flipped.value;
  }
  if (new Bun.CryptoHasher("md5").update(bytes).digest("hex") !== etag) return false;
  await change({ kind: "mend", id, bytes });
  return (await judge(needs, id)) === null;
}

/** Names what is made of damaged blobs, and puts right what can be. */
async function treat(
  needs: Needs,
  bad: ReadonlyMap<string, string>,
): Promise<{ damaged: Damaged[]; mended: string[] }> {
  const users = catalogue.listUsers(needs.db, [...bad.keys()], MANY);
  const damaged: Damaged[] = [];
  const mended: string[] = [];
  for (const [id, reason] of bad) {
    const own = users.filter(({ blobs }) => readIds(blobs).includes(id));
    const names = own.slice(0, NAMES).map(({ bucket, key }) => `${bucket}/${Buffer.from(key).toString("utf8")}`);
    const single = own.find(({ blobs }) => readIds(blobs).length === 1);
    if (single !== undefined && (await mend(needs, id, single.etag))) mended.push(names[0] ?? id);
    else damaged.push({ id, reason, objects: names });
  }
  return { damaged, mended };
}

/**
 * Reads the next blobs and compares them with the sums they were stored with, `bytes` of them or a little more. At the end of all a new
 * round begins with the next step.
 */
export async function checkSome(needs: Needs, bytes: number): Promise<CheckStep> {
  const { db, now, change } = needs;
  const before = readCheck(db);
  const goesOn = before.startedAt !== null && before.finishedAt === null;
  const fresh = { startedAt: now, finishedAt: null, cursor: "", checkedBytes: 0, mended: 0 };
  const state: CheckState = goesOn ? { ...before } : { ...fresh, totalBytes: catalogue.sumBlobs(db) };
  const known = new Set(catalogue.listDamage(db, 10_000).map(({ blob_id }) => blob_id));
  const bad = new Map<string, string>();
  const sound: string[] = [];
  for (let read = 0; read < bytes && bad.size < MANY; ) {
    const rows = catalogue.listBlobs(db, state.cursor, MANY);
    if (rows.length === 0) {
      state.finishedAt = now;
      break;
    }
    for (const { id, size } of rows) {
      const reason = await judge(needs, id);
      if (reason !== null) bad.set(id, reason);
      else if (known.has(id)) sound.push(id);
      state.cursor = id;
      state.checkedBytes += size;
      read += size;
      if (read >= bytes || bad.size >= MANY) break;
    }
  }
  const { damaged, mended } = bad.size === 0 ? { damaged: [], mended: [] } : await treat(needs, bad);
  state.mended += mended.length;
  await change({ kind: "noteCheck", at: now, state: JSON.stringify(state), damaged, sound });
  return { state, found: damaged.filter(({ id }) => !known.has(id)), mended };
}
