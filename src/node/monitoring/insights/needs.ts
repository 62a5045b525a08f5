import type { Bus } from "../../../kernel/bus.ts";
import type { AppEvents, Apps } from "../../apps/apps/index.ts";
import type { NodeBase } from "../../base.ts";
import type { Baselines } from "../baselines/index.ts";
import type { Series } from "../metrics/index.ts";
import type { InsightEvents } from "./contract.ts";

/** What insights need. */
export interface Needs extends NodeBase {
  bus: Bus<InsightEvents & Pick<AppEvents, "app.service_ended">>;
  series: Series;
  baselines: Pick<Baselines, "judgeMetrics">;
  apps: Pick<Apps, "listInstalled">;
}
