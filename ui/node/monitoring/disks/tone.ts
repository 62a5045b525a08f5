/** From here on a disk is filling up, and nearly full: the limits of the rules that every server begins with. */
const limits = { warn: 80, crit: 90 };

/** Tone of the bar of use. */
export function toneOf(percent: number): "" | "warn" | "crit" {
  if (percent >= limits.crit) return "crit";
  return percent >= limits.warn ? "warn" : "";
}
