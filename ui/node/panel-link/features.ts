import type { Feature } from "../../shell/feature.ts";
import { panelLinkFeature } from "./panel-link/feature.ts";

/** What this area brings to the page. */
export const panelLinkFeatures: Feature[] = [panelLinkFeature];
