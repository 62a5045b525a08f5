import { api } from "../../client/api.ts";
import type { TimelineEntry } from "../../client/types.ts";
import { type Filter, toQuery } from "./stream.ts";

const pageSize = 500;
/** A spreadsheet with more is of no use to anybody. */
const maxRows = 20_000;

/** A text as one field; spreadsheets would run what begins like a formula. */
export function csvField(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Entries as a table with a heading. */
export function toCsv(entries: TimelineEntry[]): string {
  const rows = entries.map(({ timestamp, category, severity, type, title, count, subject }) => [
    timestamp,
    category,
    severity,
    type,
    title,
    String(count),
    subject === null ? "" : `${subject.kind}:${subject.id}`,
  ]);
  const head = ["timestamp", "category", "severity", "type", "title", "count", "subject"];
  return `${[head, ...rows].map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`;
}

/** Loads everything that fits the filter and hands it to the browser as a file. */
export async function exportCsv(filter: Filter): Promise<void> {
  const entries: TimelineEntry[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string | number> = { ...toQuery(filter), limit: pageSize };
    if (cursor !== null) query["cursor"] = cursor;
    const page: { items: TimelineEntry[]; next_cursor: string | null } = await api("GET /api/timeline", { query });
    entries.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && entries.length < maxRows);
  const url = URL.createObjectURL(new Blob([toCsv(entries)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "timeline.csv";
  link.click();
  URL.revokeObjectURL(url);
}
