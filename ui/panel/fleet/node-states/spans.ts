import type { StateChange } from "../../../../src/panel/fleet/node-states/contract.ts";

/** Changes, the newest first, each with how long its status lasted: until the next change, the newest until `now` (milliseconds). */
export function withEnds(changes: readonly StateChange[], now: number): { change: StateChange; lastedMs: number }[] {
  return changes.map((change, index) => {
    const next = changes[index - 1];
    const end = next ? Date.parse(next.at) : now;
    // The clock of this browser may be behind the panel's.
    return { change, lastedMs: Math.max(0, end - Date.parse(change.at)) };
  });
}
