import type { Ids } from "../../lib/ids.ts";
import { isDiskFull } from "../disk-full.ts";
import type { Log } from "../log.ts";
import { type AppError, kernelFail } from "./errors.ts";

const RETRY_AFTER_S = 5;
/** As PostgreSQL calls the end of a wait for rows that others hold. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * What whoever asked hears of an error that is nobody's plan: `disk_full` or `internal`, with the id it has in the log, or
 * `unavailable` while the database is away, of which its own watch tells, or where a visitor waited too long for rows that others hold.
 */
export function unexpectedFailure(deps: { ids: Ids; log: Log }, what: string, error: unknown): AppError {
  if (isDatabaseAway(error)) {
    const reason =
      "The database cannot be reached. Look whether this was done all the same, and try again in a moment.";
    return unavailable(reason);
  }
  if (stateOf(error) === LOCK_NOT_AVAILABLE)
    return unavailable("Others are changing the same thing, so nothing was done. Try again in a moment.");
  const errorId = deps.ids.next("err");
  deps.log.error(what, { error_id: errorId, error });
  return kernelFail(isDiskFull(error) ? "disk_full" : "internal", { error_id: errorId });
}

const unavailable = (reason: string): AppError =>
  kernelFail("unavailable", { reason }, { "retry-after": String(RETRY_AFTER_S) });

/** What PostgreSQL calls an error. */
const stateOf = (error: unknown): string => (error instanceof Error && "errno" in error ? String(error.errno) : "");

/** No connection to PostgreSQL, or one that its server ended: shut down, crashed, starting (57P01 to 57P03). */
function isDatabaseAway(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^ERR_POSTGRES_(CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT)/.test(code) || /^57P0[123]$/.test(stateOf(error));
}
