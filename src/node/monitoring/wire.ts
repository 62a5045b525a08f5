/** The monitoring of a node: what the machine and its apps do, what that means, and who is told. */
import type { Part } from "../../kernel/feature.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { alertChannelsFeature, createAlertChannels } from "./alert-channels/index.ts";
import type { Needs as AlertChannelsNeeds } from "./alert-channels/needs.ts";
import { alertingFeature, createAlerting } from "./alerting/index.ts";
import type { Needs as AlertingNeeds } from "./alerting/needs.ts";
import { baselinesFeature, createBaselines } from "./baselines/index.ts";
import { costFeature, createCost } from "./cost/index.ts";
import type { Needs as CostNeeds } from "./cost/needs.ts";
import { createDisks, disksFeature } from "./disks/index.ts";
import type { Needs as DisksNeeds } from "./disks/needs.ts";
import { createInsights, insightsFeature } from "./insights/index.ts";
import type { Needs as InsightsNeeds } from "./insights/needs.ts";
import { createLogForwarders, logForwardersFeature } from "./log-forwarders/index.ts";
import type { Needs as LogForwardersNeeds } from "./log-forwarders/needs.ts";
import { createLogs, logsFeature } from "./logs/index.ts";
import type { Needs as LogsNeeds } from "./logs/needs.ts";
import { createMaintenance, maintenanceFeature } from "./maintenance/index.ts";
import type { Needs as MaintenanceNeeds } from "./maintenance/needs.ts";
import { createMetrics, metricsFeature } from "./metrics/index.ts";
import type { Needs as MetricsNeeds } from "./metrics/needs.ts";
import { createSystem, systemFeature } from "./system/index.ts";
import type { Needs as SystemNeeds } from "./system/needs.ts";

/** The static halves of the area, in boot order. */
export const monitoringFeatures = [
  systemFeature,
  alertChannelsFeature,
  metricsFeature,
  baselinesFeature,
  insightsFeature,
  costFeature,
  disksFeature,
  logsFeature,
  logForwardersFeature,
  maintenanceFeature,
  alertingFeature,
] as const satisfies readonly NodeFeature[];

type Needs = SystemNeeds &
  AlertChannelsNeeds &
  Omit<MetricsNeeds, "live"> &
  Omit<InsightsNeeds, "series" | "baselines"> &
  Omit<CostNeeds, "series"> &
  DisksNeeds &
  LogsNeeds &
  Omit<LogForwardersNeeds, "followLogs"> &
  MaintenanceNeeds &
  Pick<AlertingNeeds, "bus" | "timeline">;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireMonitoring(base: Needs) {
  const system = createSystem(base);
  const channels = createAlertChannels(base);
  const metrics = createMetrics({ ...base, live: system.live });
  const { series } = metrics;
  const baselines = createBaselines({ ...base, series });
  const insights = createInsights({ ...base, series, baselines });
  const cost = createCost({ ...base, series });
  const disks = createDisks(base);
  const logs = createLogs(base);
  const logForwarders = createLogForwarders({
    ...base,
    followLogs: (since, signal) => logs.follow([], { since, signal }),
  });
  const maintenance = createMaintenance(base);
  const alerting = createAlerting({ ...base, series, baselines, maintenance, channels });
  const parts: readonly Part[] = [
    system,
    channels,
    metrics,
    baselines,
    insights,
    cost,
    disks,
    logs,
    logForwarders,
    maintenance,
    alerting,
  ];
  return { system, channels, metrics, baselines, logs, logForwarders, maintenance, alerting, parts };
}
