import { Value } from "@sinclair/typebox/value";
import { parseJson } from "../../../../lib/json.ts";
import { Notice } from "../contract.ts";
import type { Entry } from "../providers/index.ts";
import { formatDuration } from "../texts/variables.ts";
import type { OutboxRow } from "./outbox-store.ts";
import { isLate } from "./retry.ts";

/** What happened to a notice on its way, for its reader; empty when nothing did. */
function noteOf(rows: readonly OutboxRow[], last: OutboxRow, now: number): string {
  const first = rows[0] ?? last;
  const hasFire = rows.some(({ kind }) => kind === "fired");
  const parts = [
    hasFire && last.kind === "resolved" ? "It fired and ended before this could be told." : "",
    isLate(first.queued_at, now) ? `Delayed ${formatDuration((now - first.queued_at) / 1000)}.` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/**
 * Makes one entry of all that is queued about one event: the latest words count, and an event that is over is told once.
 * Rows come oldest first; events keep the order of their first row.
 */
export function collapse(rows: readonly OutboxRow[], now: number): Entry[] {
  return [...Map.groupBy(rows, ({ event_id }) => event_id).values()].flatMap((group) => {
    const last = group.at(-1);
    const notice: unknown = last && parseJson(last.notice);
    if (!last || !Value.Check(Notice, notice)) return [];
    const kinds = group.map(({ kind }) => kind);
    return [{ kind: last.kind, kinds, notice, subject: last.subject, body: last.body, note: noteOf(group, last, now) }];
  });
}
