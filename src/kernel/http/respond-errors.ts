import { Elysia } from "elysia";
import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../log.ts";
import { AppError, kernelFail } from "./errors.ts";

interface Deps {
  log: Log;
  ids: Ids;
}

interface Fault {
  field: string;
  reason: string;
}

/** Where and why a request failed its schema; null when the error is of another kind or lies in our response. */
function requestFault(error: unknown): Fault | null {
  if (typeof error !== "object" || error === null || !("type" in error) || error.type === "response") return null;
  const first =
    "valueError" in error ? (error.valueError as { path?: string; message?: string } | undefined) : undefined;
  const field = first?.path?.replace(/^\//, "").replaceAll("/", ".") || String(error.type);
  return { field, reason: first?.message ?? "is not valid" };
}

/** Turns whatever was thrown into the AppError to answer with; unknown errors are logged under a fresh id. */
export function toAppError({ log, ids }: Deps, code: string | number, error: unknown): AppError {
  // What a guard throws while the body is parsed arrives wrapped in Elysia's ParseError.
  const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : error;
  if (cause instanceof AppError) return cause;
  if (code === "NOT_FOUND") return kernelFail("not_found");
  if (code === "PARSE") return kernelFail("invalid_request", { field: "body", reason: "is not valid JSON" });
  const fault = code === "VALIDATION" ? requestFault(error) : null;
  if (fault) return kernelFail("invalid_request", { ...fault });
  if (code === "INVALID_COOKIE_SIGNATURE") return kernelFail("unauthorized");
  const errorId = ids.next("err");
  log.error("request failed inside", { error_id: errorId, error });
  return kernelFail("internal", { error_id: errorId });
}

/** The only writer of error bodies; mount it before any route. */
export function errorResponses(deps: Deps) {
  return new Elysia({ name: "errors" }).onError({ as: "global" }, ({ code, error, set }) => {
    const failure = toAppError(deps, code, error);
    set.status = failure.status;
    Object.assign(set.headers, failure.headers);
    return failure.body();
  });
}
