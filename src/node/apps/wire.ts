/** The apps of a node: the engine below them, the catalogue they come from, and what they do. */
import type { Part } from "../../kernel/feature.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { appFilesFeature, createAppFiles } from "./app-files/index.ts";
import type { Needs as AppFilesNeeds } from "./app-files/needs.ts";
import { appLogsFeature, createAppLogs } from "./app-logs/index.ts";
import type { Needs as AppLogsNeeds } from "./app-logs/needs.ts";
import { appStatsFeature, createAppStats } from "./app-stats/index.ts";
import { appsFeature, createApps } from "./apps/index.ts";
import type { Needs as AppsNeeds } from "./apps/needs.ts";
import { composeProjectsFeature, createComposeProjects } from "./compose-projects/index.ts";
import type { Needs as ComposeProjectsNeeds } from "./compose-projects/needs.ts";
import { containersFeature, createContainers } from "./containers/index.ts";
import type { Needs as ContainersNeeds } from "./containers/needs.ts";
import { createRegistries, registriesFeature } from "./registries/index.ts";
import type { Needs as RegistriesNeeds } from "./registries/needs.ts";
import { createRuntime, runtimeFeature } from "./runtime/index.ts";
import type { Needs as RuntimeNeeds } from "./runtime/needs.ts";
import { createTemplates, templatesFeature } from "./templates/index.ts";
import { createTerminals, terminalsFeature } from "./terminals/index.ts";
import type { Needs as TerminalsNeeds } from "./terminals/needs.ts";

/** The static halves of the area, in boot order. */
export const appsFeatures = [
  runtimeFeature,
  registriesFeature,
  templatesFeature,
  appsFeature,
  appFilesFeature,
  appLogsFeature,
  appStatsFeature,
  containersFeature,
  composeProjectsFeature,
  terminalsFeature,
] as const satisfies readonly NodeFeature[];

type Needs = RuntimeNeeds &
  Pick<RegistriesNeeds, "bus"> &
  Omit<AppsNeeds, "runtime" | "registries" | "templates"> &
  Pick<AppFilesNeeds, "bus"> &
  Pick<AppLogsNeeds, "operations"> &
  Pick<ContainersNeeds, "operations" | "bus"> &
  Pick<ComposeProjectsNeeds, "operations" | "bus"> &
  Pick<TerminalsNeeds, "presence" | "bus" | "seats">;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireApps(base: Needs) {
  const runtime = createRuntime(base);
  const registries = createRegistries({ ...base, runtime });
  const templates = createTemplates(base);
  const apps = createApps({ ...base, runtime, registries, templates });
  const appFiles = createAppFiles({ ...base, runtime, apps });
  const appLogs = createAppLogs({ ...base, runtime, apps });
  const appStats = createAppStats({ ...base, runtime, apps });
  const composeProjects = createComposeProjects({ ...base, runtime, apps });
  const { requireStartable } = composeProjects;
  const containers = createContainers({ ...base, runtime, registries, apps, requireStartable });
  const terminals = createTerminals({ ...base, runtime, containers });
  return {
    runtime,
    templates,
    apps,
    terminals,
    parts: [
      runtime,
      registries,
      templates,
      apps,
      appFiles,
      appLogs,
      appStats,
      containers,
      composeProjects,
      terminals,
    ] satisfies readonly Part[],
  };
}
