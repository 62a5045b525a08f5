/**
 * Units per second between two readings of a counter that only grows. A counter that stepped back (reset, replaced device)
 * and one without an earlier reading give 0, never a negative or made-up rate.
 */
export function ratePerSecond(before: number | undefined, after: number, elapsedMs: number): number {
  if (before === undefined || elapsedMs <= 0 || after <= before) return 0;
  return ((after - before) * 1000) / elapsedMs;
}

/** `part` of `whole` in percent with one decimal, within 0 and 100; 0 of nothing is 0. */
export function percentOf(part: number, whole: number): number {
  if (whole <= 0) return 0;
  return Math.round(Math.min(1, Math.max(0, part / whole)) * 1000) / 10;
}
