import type { Feature } from "../../shell/feature.ts";
import { componentsFeature } from "./components/feature.ts";
import { hostTerminalsFeature } from "./host-terminals/feature.ts";

/** What the features of this area add to the page. */
export const hostFeatures: Feature[] = [componentsFeature, hostTerminalsFeature];
