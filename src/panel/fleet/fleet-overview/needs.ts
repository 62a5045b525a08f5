import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase } from "../../base.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { Fleet } from "../fleet/index.ts";
import type { FleetRecords } from "../fleet-records/index.ts";
import type { Cluster, Overview } from "./contract.ts";
import type { KeptAnswers } from "./keep-answers.ts";

/** What the overview of a fleet needs. */
export interface Needs extends PanelBase {
  live: Pick<LiveStore, "fleetOf">;
  fleet: Pick<Fleet, "indexOf" | "prepareIndex">;
  tenants: Pick<Tenants, "countOwnClients">;
  records: Pick<FleetRecords, "findSnapshot" | "listCpuPoints">;
}

/** With what the overview makes for itself. */
export interface Own extends Needs {
  overviews: KeptAnswers<Overview>;
  maps: KeptAnswers<string>;
  clusters: KeptAnswers<Cluster[]>;
  topologies: KeptAnswers<string>;
}
