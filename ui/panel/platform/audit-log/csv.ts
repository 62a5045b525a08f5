import type { AuditEntry, AuditQuery } from "../../../../src/panel/platform/audit-log/contract.ts";
import { csvText, readAll, saveCsv } from "../../../parts/csv.ts";
import { api } from "../../client/api.ts";

const pageSize = 500;

/** Loads everything that fits the question and hands it to the browser as a file, with every detail. */
export async function exportAudit(question: AuditQuery): Promise<void> {
  const entries = await readAll<AuditEntry>(async (cursor) => {
    const query = { ...question, limit: pageSize, ...(cursor === null ? {} : { cursor }) };
    const page = await api("GET /api/audit/logs", { query });
    return { rows: page.entries, next: page.next_cursor };
  });
  const rows = entries.map(({ timestamp, action, actor, subject, details, ip_address }) => [
    timestamp,
    action,
    actor.kind,
    actor.name ?? actor.id,
    subject.name ?? "",
    subject.id,
    JSON.stringify(details),
    ip_address,
  ]);
  saveCsv(
    "audit.csv",
    csvText(["timestamp", "action", "actor_kind", "actor", "subject", "subject_id", "details", "ip_address"], rows),
  );
}
