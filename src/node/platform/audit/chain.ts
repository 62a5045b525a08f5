import { createHmac } from "node:crypto";
import { toIso } from "../../../lib/clock.ts";
import type { NodeBase } from "../../base.ts";
import type { AuditLine } from "../../event-meaning.ts";
import type { AuditCheck } from "./contract.ts";
import {
  type AuditRow,
  findHash,
  findStart,
  insertEntry,
  lastHash,
  lastNumber,
  listEntriesAfter,
  moveStart,
  type StartRow,
} from "./store.ts";

/** What happened, before it has an id and a place in the chain. */
export interface AuditFact extends AuditLine {
  action: string;
}

const CHECK_PAGE = 1_000;

/** What it takes to add to the log. */
export type ChainDeps = Pick<NodeBase, "db" | "clock" | "ids" | "seal">;

/** The hash of an entry under the node's key: whoever only has the database can neither alter nor extend the chain. */
function hashEntry(key: Uint8Array, before: string, row: Omit<AuditRow, "seq" | "hash">): string {
  const content = [before, row.id, row.action, row.resource, row.details, row.ip_address, row.timestamp];
  return createHmac("sha256", key).update(JSON.stringify(content)).digest("hex");
}

/** Adds an entry to the end of the log. */
export function appendEntry({ db, clock, ids, seal }: ChainDeps, fact: AuditFact): void {
  db.tx(() => {
    const row = {
      ...fact,
      id: ids.next("aud"),
      details: JSON.stringify(fact.details),
      timestamp: toIso(clock.now()),
    };
    insertEntry(db, { ...row, hash: hashEntry(seal.deriveKey("audit"), lastHash(db), row) });
  });
}

/** What proves that the log may begin after an entry. */
const markOf = (key: Uint8Array, { seq, hash }: Pick<StartRow, "seq" | "hash">): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(["start", seq, hash]))
    .digest("hex");

/** Forgets an entry and all before it; the chain is checked from there on. */
export function beginAfter({ db, seal }: Pick<ChainDeps, "db" | "seal">, seq: number): void {
  db.tx(() => {
    const hash = findHash(db, seq);
    if (hash !== null) moveStart(db, { seq, hash, mark: markOf(seal.deriveKey("audit"), { seq, hash }) });
  });
}

/** Walks the whole chain, a page at a time so that other requests are answered in between. */
export async function checkChain(
  { db, seal }: Pick<ChainDeps, "db" | "seal">,
  pause: () => Promise<void>,
): Promise<AuditCheck> {
  const key = seal.deriveKey("audit");
  let before = "";
  let seq = 0;
  let entries = 0;
  while (true) {
    // Asked for each page: meanwhile it may begin later than it did.
    const start = findStart(db);
    const page = listEntriesAfter(db, seq, CHECK_PAGE);
    if (start !== null && start.mark !== markOf(key, start))
      return { ok: false, entries, broken_at: page[0]?.id ?? null };
    if (start !== null && start.seq > seq) [seq, before] = [start.seq, start.hash];
    if (page.length === 0) break;
    for (const row of page) {
      // A gap in the numbers is an entry that was cut out together with a rebuilt chain, or cut off at the front.
      if (row.seq !== seq + 1 || row.hash !== hashEntry(key, before, row)) {
        return { ok: false, entries, broken_at: row.id };
      }
      before = row.hash;
      seq = row.seq;
      entries += 1;
    }
    await pause();
  }
  // Entries written while we walked count too, so only a number beyond the last one read tells of a cut end.
  const isWhole = lastNumber(db) <= seq;
  return { ok: isWhole, entries, broken_at: null };
}
