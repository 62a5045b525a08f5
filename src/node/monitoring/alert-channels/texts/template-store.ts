import type { Store } from "../../../../kernel/db/store.ts";
import type { ChannelType, NoticeKind } from "../contract.ts";

export interface TemplateRow {
  kind: NoticeKind;
  channel_type: ChannelType;
  subject: string;
  body: string;
}

export function listTemplates(db: Store): TemplateRow[] {
  return db.raw.query<TemplateRow, []>("SELECT * FROM alert_templates").all();
}

export function findTemplate(db: Store, kind: NoticeKind, type: ChannelType): TemplateRow | null {
  const sql = "SELECT * FROM alert_templates WHERE kind = ? AND channel_type = ?";
  return db.raw.query<TemplateRow, [string, string]>(sql).get(kind, type);
}

export function saveTemplate(db: Store, row: TemplateRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO alert_templates (kind, channel_type, subject, body) VALUES (?, ?, ?, ?)")
    .run(row.kind, row.channel_type, row.subject, row.body);
}

export function deleteTemplate(db: Store, kind: NoticeKind, type: ChannelType): void {
  db.raw.query("DELETE FROM alert_templates WHERE kind = ? AND channel_type = ?").run(kind, type);
}
