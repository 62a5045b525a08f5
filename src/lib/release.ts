type Bytes<T> = AsyncGenerator<T, void, undefined>;

/**
 * The same values; `release` runs too when the reader ends before the first of them. What a generator does at its end runs only once it
 * has begun, so whatever was opened for it before would stay open.
 */
export function withRelease<T>(values: Bytes<T>, release: () => unknown): Bytes<T> {
  let isBegun = false;
  async function end(): Promise<void> {
    if (isBegun) return;
    isBegun = true;
    await release();
  }
  const guarded: Bytes<T> = {
    next() {
      isBegun = true;
      return values.next();
    },
    async return() {
      await end();
      return values.return();
    },
    async throw(error) {
      await end();
      return values.throw(error);
    },
    [Symbol.asyncIterator]: () => guarded,
    async [Symbol.asyncDispose]() {
      await guarded.return();
    },
  };
  return guarded;
}
