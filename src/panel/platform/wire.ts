/** The platform of a panel: what every other area stands on. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import type { PanelFeature } from "../event-meaning.ts";
import { auditFeature, createAudit } from "./audit/index.ts";
import { auditLogFeature, createAuditLog } from "./audit-log/index.ts";
import { createHealth, healthFeature } from "./health/index.ts";
import type { Needs } from "./health/needs.ts";
import { createLiveChanges, liveChangesFeature } from "./live-changes/index.ts";
import { createMail, createMailCommands, type MailCommandNeeds, mailFeature } from "./mail/index.ts";
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
  liveChangesFeature,
  prometheusFeature,
  mailFeature,
] as const satisfies readonly PanelFeature[];

/** The verbs that the area gives the command line. */
export const platformCommands = (data: DataAccess<MailCommandNeeds>): readonly Command[] => createMailCommands(data);

/** Makes the features of the area; the order of the lines is the boot order. */
export function wirePlatform(base: Needs) {
  const health = createHealth(base);
  const releaseNotes = createReleaseNotes(base);
  const audit = createAudit(base);
  const auditLog = createAuditLog(base);
  const search = createSearch(base);
  const liveChanges = createLiveChanges(base);
  const prometheus = createPrometheus(base);
  const mail = createMail(base);
  return {
    health,
    audit,
    mail,
    parts: [health, releaseNotes, audit, auditLog, search, liveChanges, prometheus, mail] satisfies readonly Part[],
  };
}
