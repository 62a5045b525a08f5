/** Room between two ranks, so that what comes later finds its place between them. */
const STEP = 2 ** 20;
/** With more new texts than this at once it is quicker to sort all again. */
const FEW = 64;

/** Numbers that sort as texts do. A rank holds until all are made anew. */
export interface Ranks {
  /** The ranks of all these; NaN for null. Forgets every other text. */
  ofAll(texts: readonly (string | null)[]): Float64Array;
  /** The rank of one more text; null when all have to be made anew to give it one. */
  ofOne(text: string | null): number | null;
}

/** Ranks by the order of `keyOf`; texts with the same key have the same rank. */
export function createRanks(keyOf: (text: string) => string): Ranks {
  const rankOf = new Map<string, number>();
  /** Sorted, with the rank of each. */
  let keys: string[] = [];
  let ranks: number[] = [];

  function rankAll(texts: ReadonlySet<string>): void {
    const pairs = new Map<string, string>();
    for (const text of texts) pairs.set(text, keyOf(text));
    // Without a comparison function strings sort several times as fast.
    keys = [...new Set(pairs.values())].sort();
    ranks = keys.map((_, index) => index * STEP);
    const byKey = new Map(keys.map((key, index) => [key, index * STEP]));
    rankOf.clear();
    for (const [text, key] of pairs) rankOf.set(text, byKey.get(key) ?? 0);
  }

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

  return {
    ofAll(texts) {
      const wanted = new Set<string>();
      let fresh = 0;
      for (const text of texts) {
        if (text === null || wanted.has(text)) continue;
        wanted.add(text);
        if (!rankOf.has(text)) fresh++;
      }
      if (fresh > FEW || rankOf.size > 2 * wanted.size + FEW) rankAll(wanted);
      const answer = texts.map(ofOne);
      if (!answer.includes(null)) return Float64Array.from(answer, (rank) => rank ?? Number.NaN);
      rankAll(wanted);
      return Float64Array.from(texts, (text) => ofOne(text) ?? Number.NaN);
    },
    ofOne,
  };
}
