/** Audit: who did what in a workspace, written together with it. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import init from "./migrations/0001_audit.sql" with { type: "text" };
import byTime from "./migrations/0002_audit_by_time.sql" with { type: "text" };

export { isAudited, recordAccountAudit, recordAudit, recordSystemAudit } from "./store.ts";

export const audit = defineContextFeature<PanelContext>({ name: "audit", migrations: [init, byTime] });
