/** The apps of a node: the engine below them, the catalogue they come from, and what they do. */
import type { Part } from "../../kernel/feature.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { appLogsFeature, createAppLogs } from "./app-logs/index.ts";
import type { Needs as AppLogsNeeds } from "./app-logs/needs.ts";
import { appStatsFeature, createAppStats } from "./app-stats/index.ts";
import { appsFeature, createApps } from "./apps/index.ts";
import type { Needs as AppsNeeds } from "./apps/needs.ts";
import { containersFeature, createContainers } from "./containers/index.ts";
import type { Needs as ContainersNeeds } from "./containers/needs.ts";
import { createRuntime, runtimeFeature } from "./runtime/index.ts";
import type { Needs as RuntimeNeeds } from "./runtime/needs.ts";
import { createTemplates, templatesFeature } from "./templates/index.ts";
import { createTerminals, terminalsFeature } from "./terminals/index.ts";
import type { Needs as TerminalsNeeds } from "./terminals/needs.ts";

/** The static halves of the area, in boot order. */
export const appsFeatures = [
  runtimeFeature,
  templatesFeature,
  appsFeature,
  appLogsFeature,
  appStatsFeature,
  containersFeature,
  terminalsFeature,
] as const satisfies readonly NodeFeature[];

type Needs = RuntimeNeeds &
  Omit<AppsNeeds, "runtime" | "templates"> &
  Pick<AppLogsNeeds, "operations"> &
  Pick<ContainersNeeds, "operations" | "bus"> &
  Pick<TerminalsNeeds, "presence" | "bus">;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireApps(base: Needs) {
  const runtime = createRuntime(base);
  const templates = createTemplates(base);
  const apps = createApps({ ...base, runtime, templates });
  const appLogs = createAppLogs({ ...base, runtime, apps });
  const appStats = createAppStats({ ...base, runtime, apps });
  const containers = createContainers({ ...base, runtime, apps });
  const terminals = createTerminals({ ...base, runtime, containers });
  return {
    runtime,
    templates,
    apps,
    parts: [runtime, templates, apps, appLogs, appStats, containers, terminals] satisfies readonly Part[],
  };
}
