import { Value } from "@sinclair/typebox/value";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { days, hours, minutes, seconds } from "../../../lib/duration.ts";
import { parseMoment } from "../../../lib/moment.ts";
import { createPattern, PatternError } from "../../../lib/pattern.ts";
import { LOG_LINES_MAX, type LogStreamParams, UNITS_MAX, Unit } from "../../../shared/agent-protocol/index.ts";
import type { LogsQuery } from "./contract.ts";

const DEFAULT_LINES = 200;
const UNITS: Readonly<Record<string, number>> = { s: seconds(1), m: minutes(1), h: hours(1), d: days(1) };
const IS_DURATION = /^(\d{1,6}[smhd]){1,4}$/;

/** Milliseconds of a duration such as 90s, 15m, 1h30m or 2d; null for other text. */
export function parseDuration(text: string): number | null {
  if (!IS_DURATION.test(text)) return null;
  const parts = text.matchAll(/(\d+)([smhd])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0), 0);
}

const refused = (field: string, reason: string) => kernelFail("invalid_request", { field, reason });

/** What a query asks a node for. Throws `invalid_request` for fields that do not fit together, or mean nothing. */
export function wantedOf(query: LogsQuery): LogStreamParams {
  const { app, unit = [], level = null, since, lines = DEFAULT_LINES, follow = true, grep = null } = query;
  const source = query.source ?? (app === undefined ? "journal" : "app");
  if (source === "app" && app === undefined) throw refused("app", "must name the app whose log is wanted");
  if (source === "journal" && app !== undefined) throw refused("app", "goes with source=app only");
  if (source === "app" && unit.length > 0) throw refused("unit", "goes with source=journal only");
  assertUnits(unit);
  assertPattern(grep);
  const within_ms = since === undefined ? null : parseDuration(since);
  const at = since === undefined || within_ms !== null ? null : parseMoment(since);
  if (since !== undefined && within_ms === null && at === null)
    throw refused("since", "must be a time in RFC 3339, or a duration such as 15m or 1h30m");
  return {
    ...{ source, units: unit, app: app ?? null, level, lines, follow, grep, within_ms },
    since: at === null ? null : new Date(at).toISOString(),
  };
}

/** The same from a line on that the reader has already: all after it, as far as there may be so many. */
export const resumedFrom = (wanted: LogStreamParams, ts: string): LogStreamParams => ({
  ...wanted,
  since: ts,
  within_ms: null,
  lines: LOG_LINES_MAX,
});

function assertUnits(units: readonly string[]): void {
  if (units.length > UNITS_MAX) throw refused("unit", `may be repeated ${UNITS_MAX} times at most`);
  const odd = units.find((unit) => !Value.Check(Unit, unit));
  if (odd !== undefined) throw refused("unit", "must be the name of one systemd unit, such as ssh.service");
}

function assertPattern(grep: string | null): void {
  if (grep === null) return;
  try {
    createPattern(grep);
  } catch (error) {
    throw error instanceof PatternError ? refused("grep", error.message) : error;
  }
}
