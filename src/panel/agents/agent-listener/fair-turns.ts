/** Of those who do not wait, so many are remembered before the ones that have had no more than the others are forgotten. */
const REMEMBERED = 1_000;

/**
 * Those who wait, and what each has had: whoever had least is next. A newcomer begins with as much as that one, and who comes again
 * soon with what they had, so that nobody gains by asking seldom for much.
 */
export class FairTurns<Entry> {
  /** Also of those who do not wait at this moment; forgotten when nobody does. */
  readonly #had = new Map<string, number>();
  readonly #waiting = new Map<string, Entry>();

  isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** What waits under a key, made where nothing does. */
  of(key: string, make: () => Entry): Entry {
    const known = this.#waiting.get(key);
    if (known !== undefined) return known;
    const entry = make();
    const least = this.#least();
    this.#had.set(key, Math.max(this.#had.get(key) ?? 0, least));
    this.#waiting.set(key, entry);
    if (this.#had.size > REMEMBERED + this.#waiting.size) this.#forget(least);
    return entry;
  }

  find(key: string): Entry | undefined {
    return this.#waiting.get(key);
  }

  /** Whose turn it is, of those who may have one. */
  next(isAble: (key: string) => boolean = () => true): { key: string; entry: Entry } | null {
    let least = Number.POSITIVE_INFINITY;
    let found: { key: string; entry: Entry } | null = null;
    for (const [key, entry] of this.#waiting) {
      const had = this.#had.get(key) ?? 0;
      if (had >= least || !isAble(key)) continue;
      least = had;
      found = { key, entry };
    }
    return found;
  }

  /** Notes what somebody had at their turn. */
  charge(key: string, charge: number): void {
    this.#had.set(key, (this.#had.get(key) ?? 0) + charge);
  }

  /** Nothing waits under a key any more. */
  drop(key: string): void {
    this.#waiting.delete(key);
    if (this.isEmpty()) this.#had.clear();
  }

  #least(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const key of this.#waiting.keys()) least = Math.min(least, this.#had.get(key) ?? 0);
    return this.isEmpty() ? 0 : least;
  }

  #forget(least: number): void {
    for (const [key, had] of this.#had) if (had <= least && !this.#waiting.has(key)) this.#had.delete(key);
  }
}
