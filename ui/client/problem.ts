/** A failed call: what the server said, or that it could not be reached (`status` 0, code `unreachable`). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly params: Record<string, unknown>;
  /** Seconds to wait before another try, from Retry-After; null when the server named none. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    params: Record<string, unknown>,
    retryAfter: number | null,
  ) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.params = params;
    this.retryAfter = retryAfter;
  }

  /** Why the field was refused, as a sentence; null when the server named no reason. */
  get reason(): string | null {
    const reason = this.params["reason"];
    if (typeof reason !== "string" || reason === "") return null;
    return reason.charAt(0).toUpperCase() + reason.slice(1);
  }

  /** The form field that the server refused, or null. */
  get field(): string | null {
    const field = this.params["field"];
    return typeof field === "string" ? field.replace(/^\//, "") : null;
  }
}

/** The problem that remains after this field was edited; none when the problem was about this field, because the refused value is gone. */
export function afterEdit(problem: Problem | null, field: string): Problem | null {
  return problem?.field === field ? null : problem;
}

/** Reads any failed response into a Problem, also when a proxy answered with HTML. */
export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const text = (key: string): string | null => {
    const value = isRecord(body) ? body[key] : null;
    return typeof value === "string" && value !== "" ? value : null;
  };
  const params = isRecord(body) && isRecord(body["params"]) ? body["params"] : isRecord(body) ? body : {};
  return new Problem(
    response.status,
    text("code") ?? text("error") ?? `http_${response.status}`,
    text("message") ?? `The server answered ${response.status} ${response.statusText}`.trim(),
    params,
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
}

/** A call that never got an answer. */
export function unreachable(): Problem {
  return new Problem(0, "unreachable", "The server did not answer.", {}, null);
}

/** Anything thrown, as a Problem, so that every error card has a code and a sentence. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(0, "page_error", error instanceof Error ? error.message : String(error), {}, null);
}

/** True for plain JSON objects. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
