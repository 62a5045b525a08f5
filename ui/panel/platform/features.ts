import type { Feature } from "../../shell/feature.ts";
import { auditLogFeature } from "./audit-log/feature.ts";

/** What this area brings to the page. */
export const platformFeatures: Feature[] = [auditLogFeature];
