import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { AlertChannels } from "../alert-channels/index.ts";
import type { Baselines } from "../baselines/index.ts";
import type { Maintenance } from "../maintenance/index.ts";
import type { Series } from "../metrics/index.ts";
import type { AlertingEvents } from "./contract.ts";
import type { WatchedBook } from "./watched/watched.ts";

/** What alerting needs. */
export interface Needs extends NodeBase {
  bus: Bus<AlertingEvents>;
  series: Series;
  baselines: Pick<Baselines, "metricName" | "scoreNow" | "describe" | "replay">;
  maintenance: Pick<Maintenance, "createHold">;
  channels: Pick<AlertChannels, "enqueue" | "findUnknown">;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  watched: WatchedBook;
}
