/** Changes: what people have their nodes do. */
import type { Part } from "../../kernel/feature.ts";
import type { PanelFeature } from "../event-meaning.ts";
import { autoUpdatesFeature, createAutoUpdates } from "./auto-updates/index.ts";
import type { Needs as AutoNeeds } from "./auto-updates/needs.ts";
import { createReleaseLook } from "./auto-updates/release-look.ts";
import { bulkJobsFeature, createBulkJobs } from "./bulk-jobs/index.ts";
import type { Needs as BulkNeeds } from "./bulk-jobs/needs.ts";
import { commandsFeature, createCommands } from "./commands/index.ts";
import type { Needs as CommandNeeds } from "./commands/needs.ts";
import { createRollouts, rolloutsFeature } from "./rollouts/index.ts";
import type { Needs as RolloutNeeds } from "./rollouts/needs.ts";

/** The static halves of the area, in boot order. */
export const changeFeatures = [
  commandsFeature,
  rolloutsFeature,
  bulkJobsFeature,
  autoUpdatesFeature,
] as const satisfies readonly PanelFeature[];

/** What the area makes itself. */
type Made = "commands" | "rollouts" | "releases";

type Needs = Omit<AutoNeeds & BulkNeeds & CommandNeeds & RolloutNeeds, Made>;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireChanges(base: Needs) {
  const commands = createCommands(base);
  const rollouts = createRollouts({ ...base, commands });
  const bulkJobs = createBulkJobs({ ...base, commands });
  const autoUpdates = createAutoUpdates({ ...base, rollouts, releases: createReleaseLook(base) });
  return { commands, rollouts, parts: [commands, rollouts, bulkJobs, autoUpdates] satisfies readonly Part[] };
}
