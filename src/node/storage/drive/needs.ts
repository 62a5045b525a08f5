import type { Bus } from "../../../kernel/bus.ts";
import type { NodePlan } from "../../../shared/plans/index.ts";
import type { NodeBase } from "../../base.ts";
import type { Components } from "../../host/components/index.ts";
import type { ObjectMigration } from "../object-migration/index.ts";
import type { ObjectStore } from "../object-store/index.ts";
import type { DriveEvents } from "./contract.ts";

/** What the Drive needs. */
export interface Needs extends NodeBase {
  bus: Bus<DriveEvents & { "objects.encryption_changed": { on: boolean } }>;
  components: Pick<Components, "require">;
  objectStore: ObjectStore;
  /** The store that this server had before, which may hold files still. */
  earlier: Pick<ObjectMigration, "requireDrive" | "bring">;
  /** The plan in force. */
  plan: () => NodePlan;
}

/** Who asks, for the record. */
export interface By {
  user_id: string;
  ip: string;
}
