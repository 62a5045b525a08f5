/** Numbers in [0, 1) for jitter; never for secrets. */
export const systemRandom = (): number => Math.random();
