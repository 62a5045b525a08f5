import type { Feature } from "../../shell/feature.ts";
import { appsFeature } from "./apps/feature.ts";
import { containersFeature } from "./containers/feature.ts";
import { runtimeFeature } from "./runtime/feature.ts";
import { templatesFeature } from "./templates/feature.ts";
import { terminalsFeature } from "./terminals/feature.ts";

/** What the features of this area add to the page. */
export const appsFeatures: Feature[] = [
  appsFeature,
  runtimeFeature,
  templatesFeature,
  containersFeature,
  terminalsFeature,
];
