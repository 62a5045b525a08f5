import { toIso } from "../../../../lib/clock.ts";
import type { Notice, NoticeKind, Severity } from "../contract.ts";

/** What templates may name, with its meaning for people. */
export const VARIABLES = {
  severity: "Info, Warning or Critical",
  rule_name: "Name of the rule",
  type: "Type of the rule, or what happened",
  entity_name: "What it is about",
  entity: "The same for machines, for example host or app:…",
  message: "What happened, in one sentence",
  metric: "What was measured",
  value: "Value now, with its unit",
  threshold: "Limit of the rule, with its unit",
  peak: "Worst value so far, with its unit",
  unit: "Unit of the values",
  started_at: "When it began (UTC)",
  resolved_at: "When it ended (UTC)",
  duration: "How long it has lasted",
  changes: "What was changed in the hour before it fired",
  server: "Name of this server",
  link: "Address of the event on the dashboard",
  event_id: "Id of the event",
} as const;

export type Values = Record<keyof typeof VARIABLES, string>;

const SEVERITIES: Record<Severity, string> = { info: "Info", warning: "Warning", critical: "Critical" };
const BYTE_STEPS = ["B", "kB", "MB", "GB", "TB", "PB"];

const plainNumber = (value: number): string => String(Math.round(value * 10) / 10);

function bytes(value: number): string {
  const step = Math.min(BYTE_STEPS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)));
  return `${plainNumber(value / 1000 ** step)} ${BYTE_STEPS[step]}`;
}

const SIGNS: Record<string, string> = { percent: "%", celsius: "°C" };

/** A measured value for people: `93.4 %`, `1.2 GB`, `71 °C`; empty for none. */
export function formatValue(value: number | null, unit: string | null): string {
  if (value === null) return "";
  if (unit === "bytes") return bytes(value);
  if (unit === "bps") return `${bytes(value)}/s`;
  return `${plainNumber(value)} ${SIGNS[unit ?? ""] ?? unit ?? ""}`.trimEnd();
}

const PARTS: readonly [seconds: number, name: string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/** The two largest parts of a duration: `3 h 5 min`, `14 min`, `40 s`. */
export function formatDuration(totalSeconds: number): string {
  const whole = Math.max(0, Math.round(totalSeconds));
  const first = PARTS.findIndex(([size]) => whole >= size);
  if (first === -1) return "0 s";
  // Seconds beside minutes are noise.
  const shown = PARTS.slice(first, first + 2).filter(([size], index) => index === 0 || size >= 60);
  let rest = whole;
  const texts: string[] = [];
  for (const [size, name] of shown) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) texts.push(`${count} ${name}`);
  }
  return texts.join(" ");
}

function formatTime(iso: string | null): string {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? "" : `${toIso(ms).slice(0, 16).replace("T", " ")} UTC`;
}

/** Seconds that an episode has lasted; null when it only began. */
function durationOf(kind: NoticeKind, notice: Notice, nowMs: number): number | null {
  if (notice.duration_seconds !== null) return notice.duration_seconds;
  const started = Date.parse(notice.started_at);
  return kind === "fired" || Number.isNaN(started) ? null : (nowMs - started) / 1000;
}

/** The values of all variables for one notice; empty texts for what it does not have. */
export function valuesOf(
  kind: NoticeKind,
  notice: Notice,
  place: { server: string; link: string; now: number },
): Values {
  const seconds = durationOf(kind, notice, place.now);
  return {
    severity: SEVERITIES[notice.severity],
    rule_name: notice.rule_name,
    type: notice.type,
    entity_name: notice.entity_name,
    entity: notice.entity,
    message: notice.message,
    metric: notice.metric ?? "",
    value: formatValue(notice.value, notice.unit),
    threshold: formatValue(notice.threshold, notice.unit),
    peak: formatValue(notice.peak, notice.unit),
    unit: notice.unit ?? "",
    started_at: formatTime(notice.started_at),
    resolved_at: formatTime(notice.resolved_at),
    duration: seconds === null ? "" : formatDuration(seconds),
    changes: notice.changes ?? "",
    server: place.server,
    link: place.link,
    event_id: notice.event_id,
  };
}
