import type { Feature } from "../../shell/feature.ts";
import { auditFeature } from "./audit/feature.ts";
import { dashboardsFeature } from "./dashboards/feature.ts";
import { operationsFeature } from "./operations/feature.ts";
import { plansFeature } from "./plans/feature.ts";
import { releaseNotesFeature } from "./release-notes/feature.ts";
import { settingsFeature } from "./settings/feature.ts";
import { timelineFeature } from "./timeline/feature.ts";
import { webhooksFeature } from "./webhooks/feature.ts";

/** What the features of this area add to the page. */
export const platformFeatures: Feature[] = [
  auditFeature,
  dashboardsFeature,
  operationsFeature,
  plansFeature,
  releaseNotesFeature,
  settingsFeature,
  timelineFeature,
  webhooksFeature,
];
