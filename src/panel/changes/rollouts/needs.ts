import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { Commands } from "../commands/index.ts";
import type { RolloutEvents } from "./contract.ts";

/** What rollouts need. */
export interface Needs extends PanelBase {
  /** Rollouts of all workspaces go on by themselves. */
  system: SystemDb;
  bus: PanelBus<RolloutEvents>;
  live: Pick<LiveStore, "of" | "fleetOf">;
  tenants: Pick<Tenants, "findPlan" | "isSuspended" | "lockMembers">;
  commands: Pick<Commands, "post" | "withdraw" | "rate">;
}
