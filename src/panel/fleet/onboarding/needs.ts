import type { AgentPort } from "../../agents/agent-port/index.ts";
import type { LiveStore } from "../../agents/live/index.ts";
import type { Nodes } from "../../agents/nodes/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { OnboardingEvents } from "./contract.ts";
import type { FirstHeartbeats } from "./first-heartbeat.ts";

/** What letting servers in needs. */
export interface Needs extends PanelBase {
  bus: PanelBus<OnboardingEvents>;
  nodes: Pick<Nodes, "authority" | "deleteNode" | "directory" | "onChange" | "turnedAway">;
  tenants: Pick<Tenants, "findPlan">;
  agentPort: Pick<AgentPort, "port">;
  live: Pick<LiveStore, "fleetOf">;
}

/** With what onboarding makes for itself. */
export interface Own extends Needs {
  firstHeartbeats: FirstHeartbeats;
}
