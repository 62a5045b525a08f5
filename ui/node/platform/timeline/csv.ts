import type { TimelineEntry } from "../../../../src/node/platform/timeline/contract.ts";
import { csvText, readAll, saveCsv } from "../../../parts/csv.ts";
import { api } from "../../client/api.ts";
import { type Filter, toQuery } from "./stream.ts";

const pageSize = 500;

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
  return csvText(["timestamp", "category", "severity", "type", "title", "count", "subject"], rows);
}

/** Loads everything that fits the filter and hands it to the browser as a file. */
export async function exportCsv(filter: Filter): Promise<void> {
  const entries = await readAll<TimelineEntry>(async (cursor) => {
    const query: Record<string, string | number> = { ...toQuery(filter), limit: pageSize };
    if (cursor !== null) query["cursor"] = cursor;
    const { items, next_cursor } = await api("GET /api/timeline", { query });
    return { rows: items, next: next_cursor };
  });
  saveCsv("timeline.csv", toCsv(entries));
}
