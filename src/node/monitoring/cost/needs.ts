import type { Bus } from "../../../kernel/bus.ts";
import type { Apps } from "../../apps/apps/index.ts";
import type { NodeBase } from "../../base.ts";
import type { SettingsEvents } from "../../platform/settings/contract.ts";
import type { Series } from "../metrics/index.ts";

/** What costs need. */
export interface Needs extends NodeBase {
  bus: Bus<Pick<SettingsEvents, "settings.changed">>;
  series: Series;
  apps: Pick<Apps, "list" | "diskBytes">;
}
