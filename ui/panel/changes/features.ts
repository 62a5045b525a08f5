import type { Feature } from "../../shell/feature.ts";
import { commandsFeature } from "./commands/feature.ts";

/** What the features of this area add to the page. */
export const changeFeatures: Feature[] = [commandsFeature];
