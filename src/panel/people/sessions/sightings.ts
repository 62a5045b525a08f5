import type { SystemDb } from "../../data/tenant-db.ts";
import type { Touch } from "../tenants/index.ts";
import type { Needs } from "./needs.ts";

/** Who was here lately, by their calls; written down together, so that a call never waits for it. */
export interface Sightings {
  note(member: { tenant_id: string; member_id: string }): void;
  /** Writes down what was noted since the last time. */
  flush(): Promise<void>;
}

/** A member between two calls of `flush` is one row, however much they do. */
export function createSightings({
  system,
  clock,
  tenants,
}: Pick<Needs, "clock" | "tenants"> & { system: SystemDb }): Sightings {
  let seen = new Map<string, Touch>();
  return {
    note: ({ tenant_id, member_id }) => void seen.set(member_id, { tenant_id, member_id, at: clock.now() }),
    async flush() {
      const noted = [...seen.values()];
      seen = new Map();
      if (noted.length === 0) return;
      await system.tx((tx) => tenants.touchMembers(tx, noted));
    },
  };
}
