import { atOnce, inSteps, sortInSteps } from "../../../lib/sort-in-steps.ts";

/** Room between two ranks, so that what comes later finds its place between them. */
const STEP = 2 ** 20;
/** With more new texts than this, or than this share of all, it is quicker to sort all again. */
const FEW = 64;
/** Texts that are looked at in one go. */
const SLICE = 8_192;
/** Comes before whatever a key holds, so that what follows it does not touch the order. */
const PART = "\u0000";

/** Numbers that sort as texts do. A rank holds until all are made anew. */
export interface Ranks {
  /** The ranks of all these; NaN for null. Ranks given before may be void. */
  ofAll(texts: readonly (string | null)[]): Float64Array;
  /** The rank of one more text; null when all have to be made anew to give it one. */
  ofOne(text: string | null): number | null;
  /** Like `ofAll`, with pauses. */
  learn(texts: readonly (string | null)[], pause: () => Promise<unknown>): Promise<Float64Array>;
}

interface Ranking {
  /** Where each text's rank is. */
  slotOf: Map<string, number>;
  rankOf: number[];
  /** Sorted, with the rank of each. */
  keys: string[];
  ranks: number[];
}

/** Sorts all texts; `values` are the ranks by index. */
function* rankAll(
  texts: readonly (string | null)[],
  keyOf: (text: string) => string,
): Generator<void, Ranking & { values: Float64Array }> {
  const slotOf = new Map<string, number>();
  const slots = new Int32Array(texts.length);
  const marked: string[] = [];
  for (const [index, text] of texts.entries()) {
    if (index % SLICE === SLICE - 1) yield;
    const known = text === null ? -1 : slotOf.get(text);
    slots[index] = known ?? marked.length;
    if (known !== undefined || text === null) continue;
    slotOf.set(text, marked.length);
    marked.push(`${keyOf(text)}${PART}${marked.length}`);
  }
  const sorted = yield* sortInSteps(marked);
  const keys: string[] = [];
  const rankOf = new Array<number>(marked.length).fill(0);
  let last: string | null = null;
  for (const [index, mark] of sorted.entries()) {
    if (index % SLICE === SLICE - 1) yield;
    const end = mark.lastIndexOf(PART);
    const key = mark.slice(0, end);
    if (key !== last) keys.push(key);
    last = key;
    rankOf[Number(mark.slice(end + 1))] = (keys.length - 1) * STEP;
  }
  const values = Float64Array.from(slots, (slot) => (slot < 0 ? Number.NaN : (rankOf[slot] ?? Number.NaN)));
  return { slotOf, rankOf, keys, ranks: keys.map((_, index) => index * STEP), values };
}

/** Ranks by the order of `keyOf`; texts with the same key have the same rank. */
export function createRanks(keyOf: (text: string) => string): Ranks {
  let { slotOf, rankOf, keys, ranks }: Ranking = { slotOf: new Map(), rankOf: [], keys: [], ranks: [] };

  function placeOf(key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function insert(text: string): number | null {
    const key = keyOf(text);
    const place = placeOf(key);
    const next = ranks[place];
    const before = ranks[place - 1] ?? (next ?? 0) - 2 * STEP;
    const rank = keys[place] === key && next !== undefined ? next : (before + (next ?? before + 2 * STEP)) / 2;
    if (keys[place] !== key) {
      if (rank === before || rank === next) return null;
      keys.splice(place, 0, key);
      ranks.splice(place, 0, rank);
    }
    slotOf.set(text, rankOf.length);
    rankOf.push(rank);
    return rank;
  }

  function ofOne(text: string | null): number | null {
    if (text === null) return Number.NaN;
    const slot = slotOf.get(text);
    return slot === undefined ? insert(text) : (rankOf[slot] ?? null);
  }

  /** The ranks as far as they go; null when it pays to forget what is gone, or to sort rather than to insert. */
  function extend(texts: readonly (string | null)[]): Float64Array | null {
    if (rankOf.length > 2 * texts.length + FEW) return null;
    let left = Math.max(FEW, texts.length / FEW);
    const values = new Float64Array(texts.length);
    for (const [index, text] of texts.entries()) {
      if (text !== null && !slotOf.has(text) && left-- <= 0) return null;
      const rank = ofOne(text);
      if (rank === null) return null;
      values[index] = rank;
    }
    return values;
  }

  function install({ values, ...ranking }: Ranking & { values: Float64Array }): Float64Array {
    ({ slotOf, rankOf, keys, ranks } = ranking);
    return values;
  }

  return {
    ofAll: (texts) => extend(texts) ?? install(atOnce(rankAll(texts, keyOf))),
    ofOne,
    learn: async (texts, pause) => install(await inSteps(rankAll(texts, keyOf), pause)),
  };
}
