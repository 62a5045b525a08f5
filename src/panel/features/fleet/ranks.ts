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
  /** The ranks of all these; NaN for null. */
  ofAll(texts: readonly (string | null)[]): Float64Array;
  /** The rank of one more text; null when all have to be made anew to give it one. */
  ofOne(text: string | null): number | null;
  /** Makes all ranks anew with pauses, so that `ofAll` has little left to do; ranks given before are void. */
  learn(texts: readonly (string | null)[], pause: () => Promise<unknown>): Promise<void>;
}

interface Ranking {
  rankOf: Map<string, number>;
  /** Sorted, with the rank of each. */
  keys: string[];
  ranks: number[];
}

function* rankAll(texts: readonly (string | null)[], keyOf: (text: string) => string): Generator<void, Ranking> {
  const rankOf = new Map<string, number>();
  const distinct: string[] = [];
  const marked: string[] = [];
  for (const [index, text] of texts.entries()) {
    if (index % SLICE === SLICE - 1) yield;
    if (text === null || rankOf.has(text)) continue;
    rankOf.set(text, 0);
    marked.push(`${keyOf(text)}${PART}${distinct.length}`);
    distinct.push(text);
  }
  const sorted = yield* sortInSteps(marked);
  const keys: string[] = [];
  for (const [index, mark] of sorted.entries()) {
    if (index % SLICE === SLICE - 1) yield;
    const end = mark.lastIndexOf(PART);
    const key = mark.slice(0, end);
    if (keys.at(-1) !== key) keys.push(key);
    rankOf.set(distinct[Number(mark.slice(end + 1))] ?? "", (keys.length - 1) * STEP);
  }
  return { rankOf, keys, ranks: keys.map((_, index) => index * STEP) };
}

/** Ranks by the order of `keyOf`; texts with the same key have the same rank. */
export function createRanks(keyOf: (text: string) => string): Ranks {
  let { rankOf, keys, ranks }: Ranking = { rankOf: new Map(), keys: [], ranks: [] };

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
    rankOf.set(text, rank);
    return rank;
  }

  const ofOne = (text: string | null): number | null =>
    text === null ? Number.NaN : (rankOf.get(text) ?? insert(text));

  /** True when it pays to forget what is gone, or to sort rather than to insert. */
  function isFarOff(texts: readonly (string | null)[]): boolean {
    const limit = Math.max(FEW, texts.length / FEW);
    let fresh = 0;
    for (const text of texts) if (text !== null && !rankOf.has(text)) fresh++;
    return fresh > limit || rankOf.size > 2 * texts.length + FEW;
  }

  const allRanks = (texts: readonly (string | null)[]): Float64Array | null => {
    const answer = new Float64Array(texts.length);
    for (const [index, text] of texts.entries()) {
      const rank = ofOne(text);
      if (rank === null) return null;
      answer[index] = rank;
    }
    return answer;
  };

  function install(ranking: Ranking): void {
    ({ rankOf, keys, ranks } = ranking);
  }

  return {
    ofAll(texts) {
      const known = isFarOff(texts) ? null : allRanks(texts);
      if (known) return known;
      install(atOnce(rankAll(texts, keyOf)));
      return allRanks(texts) ?? new Float64Array(texts.length);
    },
    ofOne,
    async learn(texts, pause) {
      install(await inSteps(rankAll(texts, keyOf), pause));
    },
  };
}
