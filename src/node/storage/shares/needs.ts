import type { Bus } from "../../../kernel/bus.ts";
import type { NodePlan } from "../../../shared/plans/index.ts";
import type { NodeBase } from "../../base.ts";
import type { Components } from "../../host/components/index.ts";
import type { Drive } from "../drive/index.ts";
import type { ShareEvents } from "./contract.ts";
import type { Gates } from "./gates.ts";

/** What links to files need. */
export interface Needs extends NodeBase {
  bus: Bus<ShareEvents>;
  components: Pick<Components, "require">;
  drive: Drive;
  /** The plan in force. */
  plan: () => NodePlan;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  gates: Gates;
}
