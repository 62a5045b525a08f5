import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Rollouts } from "../rollouts/index.ts";
import type { ReleaseLook } from "./release-look.ts";

/** What updates by themselves need. */
export interface Needs extends PanelBase {
  /** Every workspace that wants them. */
  system: SystemDb;
  live: Pick<LiveStore, "of">;
  rollouts: Pick<Rollouts, "begin" | "readTries" | "hindranceOf">;
  releases: ReleaseLook;
}
