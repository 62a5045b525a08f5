/** The platform of a panel: what every other area stands on. */
import type { Part } from "../../kernel/feature.ts";
import type { PanelFeature } from "../event-meaning.ts";
import { auditFeature, createAudit } from "./audit/index.ts";
import { auditLogFeature, createAuditLog } from "./audit-log/index.ts";
import { createHealth, healthFeature } from "./health/index.ts";
import type { Needs } from "./health/needs.ts";
import { createPrometheus, prometheusFeature } from "./prometheus/index.ts";
import { createReleaseNotes, releaseNotesFeature } from "./release-notes/index.ts";
import { createSearch, searchFeature } from "./search/index.ts";

/** The static halves of the area, in boot order. */
export const platformFeatures = [
  healthFeature,
  releaseNotesFeature,
  auditFeature,
  auditLogFeature,
  searchFeature,
  prometheusFeature,
] as const satisfies readonly PanelFeature[];

/** Makes the features of the area; the order of the lines is the boot order. */
export function wirePlatform(base: Needs) {
  const health = createHealth(base);
  const releaseNotes = createReleaseNotes();
  const audit = createAudit(base);
  const auditLog = createAuditLog(base);
  const search = createSearch(base);
  const prometheus = createPrometheus(base);
  return {
    health,
    audit,
    parts: [health, releaseNotes, audit, auditLog, search, prometheus] satisfies readonly Part[],
  };
}
