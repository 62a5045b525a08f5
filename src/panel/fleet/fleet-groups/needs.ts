import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { FleetGroupEvents } from "./contract.ts";

/** What ordering nodes needs. */
export interface Needs extends PanelBase {
  bus: PanelBus<FleetGroupEvents>;
  live: Pick<LiveStore, "fleetOf" | "put">;
  tenants: Pick<Tenants, "listOwnClients" | "withOwnClient">;
}
