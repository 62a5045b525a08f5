import type { Feature } from "../../shell/feature.ts";
import { alertChannelsFeature } from "./alert-channels/feature.ts";
import { alertingFeature } from "./alerting/feature.ts";
import { costFeature } from "./cost/feature.ts";
import { disksFeature } from "./disks/feature.ts";
import { insightsFeature } from "./insights/feature.ts";
import { logForwardersFeature } from "./log-forwarders/feature.ts";
import { logsFeature } from "./logs/feature.ts";
import { metricsFeature } from "./metrics/feature.ts";

/** What the features of this area add to the page. */
export const monitoringFeatures: Feature[] = [
  alertChannelsFeature,
  alertingFeature,
  costFeature,
  disksFeature,
  insightsFeature,
  logsFeature,
  logForwardersFeature,
  metricsFeature,
];
