import type {
  History,
  Instance,
  InstanceDetail,
  InstancePage,
  SavedViews,
  SavedViewsInput,
  Summary,
} from "../../../src/panel/fleet/fleet/contract.ts";
import type {
  Client,
  ClientInput,
  Group,
  GroupInput,
  GroupOfNode,
  RegionInput,
  TagsInput,
} from "../../../src/panel/fleet/fleet-groups/contract.ts";
import type { Cluster, Heatmap, Overview, Topology } from "../../../src/panel/fleet/fleet-overview/contract.ts";

/** The calls of the fleet screens. */
export interface FleetRoutes {
  "GET /api/fleet/overview": { out: Overview };
  "GET /api/fleet/summary": { out: Summary };
  "GET /api/fleet/heatmap": { out: Heatmap };
  "GET /api/fleet/clusters": { out: Cluster[] };
  "GET /api/fleet/clusters/{id}/topology": { out: Topology };
  "GET /api/fleet/instances/page": { out: InstancePage };
  "GET /api/fleet/instances/{id}/detail": { out: InstanceDetail };
  "GET /api/fleet/instances/{id}/metrics/history": { out: History };
  "GET /api/fleet/views": { out: SavedViews };
  "PUT /api/fleet/views": { in: SavedViewsInput; out: SavedViews };
  "GET /api/fleet/clients": { out: Client[] };
  "PUT /api/fleet/instances/{id}/client": { in: ClientInput; out: Instance };
  "GET /api/fleet/groups": { out: Group[] };
  "POST /api/fleet/groups": { in: GroupInput; out: Group };
  "PUT /api/fleet/instances/{id}/region": { in: RegionInput; out: Instance };
  "PUT /api/fleet/instances/{id}/group": { in: GroupOfNode; out: Instance };
  "PUT /api/fleet/instances/{id}/tags": { in: TagsInput; out: Instance };
  "DELETE /api/fleet/instances/{id}": { out: unknown };
  "POST /api/fleet/instances/{id}/impersonate": { out: { session_url: string } };
}
