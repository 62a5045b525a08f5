import type { Feature } from "../../shell/feature.ts";
import { panelLinkFeature } from "./panel-link/feature.ts";

/** What the features of this area add to the page. */
export const panelLinkFeatures: Feature[] = [panelLinkFeature];
