import type { Ids } from "../../lib/ids.ts";
import { isDiskFull } from "../disk-full.ts";
import type { Log } from "../log.ts";
import { type AppError, kernelFail } from "./errors.ts";

const RETRY_AFTER_S = 5;
/** What PostgreSQL refuses one thing with, while it answers others; nothing was done then. By its own names of errors. */
const REFUSALS: Record<string, string> = {
  "55P03": "Others are changing the same thing, so nothing was done. Try again in a moment.",
  "57014": "The database ended this because it took longer than it allows, so nothing was done. Try again in a moment.",
  "25006": "The database takes no changes at present, so nothing was done. Try again in a moment.",
};
/**
 * What it says where it cannot be used: connections (08), its role or the database changed (28, 3D000), a transaction that stood still too
 * long (25P03, 25P04), no room for more (53, but for its disk), taken down or ended by hand (57).
 */
const AWAY = /^(?:08|28|3D000|25P0[34]|53(?!100)|57)/;
/** However it calls that, the connection is over. */
const OVER = ["FATAL", "PANIC"];

/**
 * What whoever asked hears of an error that is nobody's plan: `disk_full` or `internal`, with the id it has in the log, or `unavailable`
 * while the database is away, or where it refuses this one thing: a visitor waited too long for rows that others hold.
 */
export function unexpectedFailure(deps: { ids: Ids; log: Log }, what: string, error: unknown): AppError {
  const state = stateOf(error);
  const refusal = REFUSALS[state];
  const isAway = !isDiskFull(error) && isDatabaseAway(error, state);
  if (refusal === undefined && !isAway) {
    const errorId = deps.ids.next("err");
    deps.log.error(what, { error_id: errorId, error });
    return kernelFail(isDiskFull(error) ? "disk_full" : "internal", { error_id: errorId });
  }
  // Of a database that does not answer its own watch tells; what it says is told here.
  if (state !== "" && state !== "55P03")
    deps.log.warn("the database refused a request", { state, reason: error instanceof Error ? error.message : "" });
  return unavailable(
    refusal ?? "The database cannot be reached. Look whether this was done all the same, and try again in a moment.",
  );
}

const unavailable = (reason: string): AppError =>
  kernelFail("unavailable", { reason }, { "retry-after": String(RETRY_AFTER_S) });

/** What PostgreSQL calls an error. */
const stateOf = (error: unknown): string => (error instanceof Error && "errno" in error ? String(error.errno) : "");

/** No connection to PostgreSQL, one that its server refused or ended, or one that it wants to be signed in to in another way. */
function isDatabaseAway(error: unknown, state: string): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^ERR_POSTGRES_(?:CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT|TLS|\w*(?:SASL|AUTHENTICATION))/.test(code))
    return true;
  if (code !== "ERR_POSTGRES_SERVER_ERROR") return false;
  return AWAY.test(state) || (error instanceof Error && "severity" in error && OVER.includes(String(error.severity)));
}
