import { Elysia } from "elysia";
import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../log.ts";
import { AppError, kernelFail } from "./errors.ts";
import { queryOf } from "./request-head.ts";
import { answerHeaders } from "./request-log.ts";
import { schemaReason } from "./schema-reason.ts";
import { unexpectedFailure } from "./unexpected.ts";

interface Deps {
  log: Log;
  ids: Ids;
}

interface Fault {
  field: string;
  reason: string;
}

/** An unknown field is named by whoever sends it, up to a megabyte, and the answer names it three times. */
const LONGEST_FIELD = 200;

/** Where and why data failed its schema, without the data itself; null when the error is of another kind. */
function schemaFault(error: unknown, url: string): (Fault & { isOurs: boolean }) | null {
  if (typeof error !== "object" || error === null || !("type" in error)) return null;
  const first =
    "valueError" in error
      ? (error.valueError as { path?: string; message?: string; schema?: object } | undefined)
      : undefined;
  const isParameter = error.type === "property" && "value" in error;
  const place = isParameter ? (parameterWith(url, error.value) ?? "query") : String(error.type);
  const field = first?.path?.slice(0, LONGEST_FIELD).replace(/^\//, "").replaceAll("/", ".") || place;
  return {
    field,
    reason: schemaReason(first?.message ?? "is not valid", first?.schema),
    isOurs: error.type === "response",
  };
}

/** Name of the query parameter with this value: Elysia forgets it while it turns text into numbers. */
function parameterWith(url: string, value: unknown): string | null {
  return [...queryOf(url)].find(([, text]) => Number(text) === value)?.[0] ?? null;
}

/** Turns whatever was thrown into the AppError to answer with; unknown errors are logged under a fresh id. */
export function toAppError({ log, ids }: Deps, code: string | number, error: unknown, url: string): AppError {
  // What is thrown while the body is read arrives wrapped in Elysia's ParseError; for wrong JSON that is an AppError too.
  const isWrapped =
    error instanceof Error && error.cause !== undefined && (code === "PARSE" || error.cause instanceof AppError);
  const cause = isWrapped ? error.cause : error;
  if (cause instanceof AppError) return cause;
  if (code === "NOT_FOUND") return kernelFail("not_found");
  const fault = code === "VALIDATION" ? schemaFault(error, url) : null;
  if (fault && !fault.isOurs) return kernelFail("invalid_request", { field: fault.field, reason: fault.reason });
  if (code === "INVALID_COOKIE_SIGNATURE") return kernelFail("unauthorized");
  if (!fault) return unexpectedFailure({ log, ids }, "request failed inside", cause);
  // The text of a schema error repeats the answer, secrets included, so only place and reason are written.
  const errorId = ids.next("err");
  log.error("answer does not fit its schema", { error_id: errorId, ...fault });
  return kernelFail("internal", { error_id: errorId });
}

/** Whatever the handler was about to answer. */
const JSON_TYPE = { "content-type": "application/json;charset=utf-8" };

/** The only writer of error bodies; mount it before any route. */
export function errorResponses(deps: Deps) {
  return new Elysia({ name: "errors" }).onError({ as: "global" }, ({ code, error, request, set }) => {
    const failure = toAppError(deps, code, error, request.url);
    set.status = failure.status;
    Object.assign(set.headers, JSON_TYPE, failure.headers);
    return failure.body();
  });
}

/**
 * Answers what even `errorResponses` let through, as it would have. The runtime's own page shows the source and its
 * place on the disk.
 */
export function uncaughtAnswer(deps: Deps & { version: string }): (error: unknown) => Response {
  return (error) => {
    const failure = toAppError(deps, "UNKNOWN", error, "/");
    const headers = answerHeaders(deps.ids.next("req"), deps.version);
    return Response.json(failure.body(), { status: failure.status, headers: { ...headers, ...failure.headers } });
  };
}
