import type { Baseline } from "../../../../src/node/monitoring/baselines/contract.ts";

export type Place = Baseline["slots"][number];

const weekHours = 168;

/** The hours of the week in the reader's own time, from Monday 0:00 on; those of the server are UTC. */
export function localWeek(slots: readonly Place[], now: Date): (Place | null)[] {
  const ahead = -Math.round(now.getTimezoneOffset() / 60);
  return Array.from({ length: weekHours }, (_, hour) => slots[(hour - ahead + weekHours) % weekHours] ?? null);
}
