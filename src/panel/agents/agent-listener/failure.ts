import { AppError } from "../../../kernel/http/errors.ts";
import { unexpectedFailure } from "../../../kernel/http/unexpected.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { FrameRefusal } from "../../../shared/agent-protocol/index.ts";

/** What a failure needs to be told. */
export interface FailureDeps {
  ids: Ids;
  log: Log;
}

/** What a node hears of a failure; one that is nobody's plan goes to the log. */
export function failureOf(deps: FailureDeps, error: unknown): AppError {
  return error instanceof AppError ? error : unexpectedFailure(deps, "agent request failed inside", error);
}

/** The same failure as a frame of a session carries it. */
export function refusalOf({ status, code, message, params, headers }: AppError): FrameRefusal {
  const wait = headers["retry-after"];
  return { status, code, message, params, ...(wait === undefined ? {} : { retry_after_s: Number(wait) }) };
}
