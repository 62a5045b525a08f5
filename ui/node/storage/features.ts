import type { Feature } from "../../shell/feature.ts";
import { driveFeature } from "./drive/feature.ts";
import { objectsFeature } from "./objects/feature.ts";

/** What the features of this area add to the page. */
export const storageFeatures: Feature[] = [driveFeature, objectsFeature];
