import type { ContextFeature } from "../kernel/feature.ts";
import { announcedFeature } from "./announced.ts";
import { appsFeatures } from "./apps/wire.ts";
import type { NodeContext } from "./context.ts";
import type { EventMeaning, NodeFeature } from "./event-meaning.ts";
import { alertChannels } from "./monitoring/alert-channels/index.ts";
import { alerting } from "./monitoring/alerting/index.ts";
import { baselines } from "./monitoring/baselines/index.ts";
import { cost } from "./monitoring/cost/index.ts";
import { disks } from "./monitoring/disks/index.ts";
import { insights } from "./monitoring/insights/index.ts";
import { maintenance } from "./monitoring/maintenance/index.ts";
import { metrics } from "./monitoring/metrics/index.ts";
import { system } from "./monitoring/system/index.ts";
import { panelLinkFeatures } from "./panel-link/wire.ts";
import { peopleFeatures } from "./people/wire.ts";
import { platformFeatures } from "./platform/wire.ts";

/** Features that are given the whole context, in boot order. */
export const contextFeatures: readonly ContextFeature<NodeContext, EventMeaning>[] = [
  system,
  alertChannels,
  metrics,
  baselines,
  insights,
  cost,
  disks,
  maintenance,
  alerting,
];

/** The static halves of every feature of the node, in boot order. */
export const nodeFeatures: readonly NodeFeature[] = [
  ...platformFeatures,
  ...peopleFeatures,
  ...appsFeatures,
  ...contextFeatures,
  ...panelLinkFeatures,
  announcedFeature,
];
