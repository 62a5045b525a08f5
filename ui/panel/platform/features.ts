import type { Feature } from "../../shell/feature.ts";
import { auditLogFeature } from "./audit-log/feature.ts";

/** What the features of this area add to the page. */
export const platformFeatures: Feature[] = [auditLogFeature];
