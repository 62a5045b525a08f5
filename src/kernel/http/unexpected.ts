import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../log.ts";
import { type AppError, kernelFail } from "./errors.ts";

/** What whoever asked hears of an error that is nobody's plan: `disk_full` or `internal`, with the id it has in the log. */
export function unexpectedFailure(deps: { ids: Ids; log: Log }, what: string, error: unknown): AppError {
  const errorId = deps.ids.next("err");
  deps.log.error(what, { error_id: errorId, error });
  return kernelFail(isDiskFull(error) ? "disk_full" : "internal", { error_id: errorId });
}

/** SQLite's own word, and the one of PostgreSQL's server (53100). */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : null;
  return code === "SQLITE_FULL" || ("errno" in error && error.errno === "53100");
}
