import type { Needs } from "./needs.ts";
import type { DiskWatch } from "./watch.ts";

/** What disks need, and what the feature keeps for itself. */
export interface Own extends Needs {
  watch: DiskWatch;
}
