/** Values that fill a message's `{placeholders}` and travel as `params`. */
export type ErrorParams = Record<string, unknown>;

/** `[status, English message with {placeholders}, optional odd wire shape the contract asks for]`. */
export type ErrorEntry = readonly [status: number, message: string, wire?: (params: ErrorParams) => ErrorParams];
export type ErrorTable = Record<string, ErrorEntry>;

/** Seconds after which whoever was refused with 429 may try again, where nothing knows better. */
const AGAIN_S = 5;

/** The one error that reaches callers; anything else becomes 500 `internal`. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly params: ErrorParams;
  readonly headers: Record<string, string>;
  private readonly wire: ErrorEntry[2];

  constructor(code: string, entry: ErrorEntry, params: ErrorParams, headers: Record<string, string> = {}) {
    super(entry[1].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? "")));
    this.name = "AppError";
    this.code = code;
    this.status = entry[0];
    this.params = params;
    this.headers = this.status === 429 ? { "retry-after": String(AGAIN_S), ...headers } : headers;
    this.wire = entry[2];
  }

  /** The body as the contract words it. */
  body(): Record<string, unknown> {
    const plain = { error: this.message, code: this.code, message: this.message, params: this.params };
    return this.wire ? { ...plain, ...this.wire(this.params) } : plain;
  }
}

/** Makes the error of one code, to be thrown. */
export type Fail<Table extends ErrorTable> = ((
  code: keyof Table & string,
  params?: ErrorParams,
  headers?: Record<string, string>,
) => AppError) & { readonly table: Table };

/** Declares a feature's codes once: `export const fail = defineErrors({ name_taken: [409, "…{name}…"] })`. */
export function defineErrors<const Table extends ErrorTable>(table: Table): Fail<Table> {
  const fail = (code: keyof Table & string, params: ErrorParams = {}, headers?: Record<string, string>) => {
    const entry = table[code];
    if (!entry) throw new Error(`error code ${code} is not declared`);
    return new AppError(code, entry, params, headers);
  };
  return Object.assign(fail, { table });
}

/** Codes that any route can answer. */
export const kernelFail = defineErrors({
  invalid_request: [400, "{field}: {reason}"],
  invalid_name: [400, "The name {reason}."],
  unauthorized: [401, "Sign in first: this needs a valid access token."],
  csrf_refused: [403, "This request came from another site and was refused. Open the dashboard itself and try again."],
  forbidden: [403, "This needs the {role} role."],
  not_found: [404, "There is nothing at this address."],
  body_too_slow: [
    408,
    "The data of this request came too slowly: less than {least_bytes} bytes a second. Send it again over a better connection.",
  ],
  payload_too_large: [413, "The request is larger than the {limit_bytes} bytes allowed here."],
  unsupported_media_type: [415, "Send JSON, with the header content-type: application/json."],
  locked: [423, "This session is locked. Unlock it to go on.", () => ({ error: "locked" })],
  too_many_requests: [429, "Too many requests. Wait {retry_after_s} seconds and try again."],
  streams_full: [
    429,
    "{count} live streams are open {whose} already. Close pages that are open elsewhere, and try again.",
  ],
  internal: [500, "Something failed inside. The log has the cause under id {error_id}."],
  unavailable: [503, "{reason}"],
  disk_full: [
    507,
    "The disk with the data of this server is full, so nothing was saved. Free some space and try again.",
  ],
});
