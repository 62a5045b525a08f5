import type { ListedRow } from "./catalogue-store.ts";

/** What of a bucket is listed. */
export interface ListQuery {
  prefix: Uint8Array;
  /** Names below the prefix end at it and are told once; empty for none. */
  delimiter: Uint8Array;
  /** Only what comes after this key, or common prefix. */
  after: Uint8Array;
  limit: number;
}

/** One page: objects and common prefixes, each in the order of their bytes. */
export interface ListPage {
  objects: ListedRow[];
  prefixes: Uint8Array[];
  /** The last key or common prefix of this page, from which the next goes on; null when there is no more. */
  next: Uint8Array | null;
}

/** Where rows are read from: the first `limit` of a bucket whose keys are `from` or, with `isAfter`, after it. */
export type ReadRows = (place: { from: Uint8Array; isAfter: boolean; limit: number }) => ListedRow[];

/** Rows asked for at once where many of them may be skipped: twice as many as the last time were of use, and at most so many. */
const STEP = 64;
/** Questions to the catalogue, a third of a millisecond, after which others may come between. */
const QUESTIONS = 16;

/** The least bytes that come after everything that begins with `prefix`; null where there are none. */
export function endOf(prefix: Uint8Array): Uint8Array | null {
  const last = prefix.findLastIndex((byte) => byte !== 0xff);
  if (last === -1) return null;
  const end = prefix.slice(0, last + 1);
  end[last] = (end[last] ?? 0) + 1;
  return end;
}

const startsWith = (key: Uint8Array, prefix: Uint8Array): boolean =>
  key.length >= prefix.length && Buffer.compare(key.subarray(0, prefix.length), prefix) === 0;

/** The part of a key up to the first delimiter after the prefix; null where there is none. */
function commonPrefixOf(key: Uint8Array, { prefix, delimiter }: ListQuery): Uint8Array | null {
  if (delimiter.length === 0) return null;
  const at = Buffer.from(key.buffer, key.byteOffset, key.length).indexOf(delimiter, prefix.length);
  return at === -1 ? null : key.slice(0, at + delimiter.length);
}

/**
 * A page of a bucket. What lies below a common prefix is jumped over, however much it is, with a question to the catalogue for each;
 * between some of them `giveWay` is waited for.
 */
export async function listPage(readRows: ReadRows, query: ListQuery, giveWay: () => Promise<void>): Promise<ListPage> {
  const { prefix, delimiter, after, limit } = query;
  const page: ListPage = { objects: [], prefixes: [], next: null };
  if (limit === 0) return page;
  let from = prefix;
  let isAfter = false;
  if (after.length > 0 && Buffer.compare(after, prefix) >= 0) {
    const common = commonPrefixOf(after, query);
    const skipped = common !== null && Buffer.compare(common, after) === 0 ? endOf(common) : null;
    [from, isAfter] = skipped === null ? [after, true] : [skipped, false];
  }
  let last: Uint8Array | null = null;
  let step = delimiter.length === 0 ? limit + 1 : STEP;
  for (let asked = 1; ; asked += 1) {
    const rows = readRows({ from, isAfter, limit: step });
    const before = page.objects.length + page.prefixes.length;
    let jump: Uint8Array | null = null;
    for (const row of rows) {
      if (!startsWith(row.key, prefix)) return page;
      const common = commonPrefixOf(row.key, query);
      if (common !== null && last !== null && Buffer.compare(common, last) === 0) continue;
      if (page.objects.length + page.prefixes.length === limit) return { ...page, next: last };
      if (common === null) page.objects.push(row);
      else page.prefixes.push(common);
      last = common ?? row.key;
      jump = common;
    }
    const end = rows.at(-1)?.key;
    if (end === undefined || rows.length < step) return page;
    const beyond = jump === null || !startsWith(end, jump) ? null : endOf(jump);
    [from, isAfter] = beyond === null ? [end, true] : [beyond, false];
    step = Math.min(STEP, Math.max(2, 2 * (page.objects.length + page.prefixes.length - before)));
    if (asked % QUESTIONS === 0) await giveWay();
  }
}
