import type { Feature } from "../../shell/feature.ts";
import { bulkJobsFeature } from "./bulk-jobs/feature.ts";
import { commandsFeature } from "./commands/feature.ts";
import { rolloutsFeature } from "./rollouts/feature.ts";

/** What the features of this area add to the page. */
export const changeFeatures: Feature[] = [commandsFeature, rolloutsFeature, bulkJobsFeature];
