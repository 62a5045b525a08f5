import type { Feature } from "../../shell/feature.ts";
import { backupsFeature } from "./backups/feature.ts";
import { resticFeature } from "./restic/feature.ts";

/** What the features of this area add to the page. */
export const backupsFeatures: Feature[] = [backupsFeature, resticFeature];
