import type { Baseline } from "../../../../src/node/monitoring/baselines/contract.ts";

const hourMs = 3_600_000;

/** How much of the time that is needed to know the usual has been seen; null once it is known, or where nothing tells. */
export function learningOf(
  { status, learned_hours, ready_at }: Pick<Baseline, "status" | "learned_hours" | "ready_at">,
  now: number,
): { learned: number; needed: number } | null {
  if (status === "ok" || ready_at === null) return null;
  const missing = Math.max(1, Math.round((Date.parse(ready_at) - now) / hourMs));
  return { learned: learned_hours, needed: learned_hours + missing };
}
