/** What the engine answered instead of a result; `status` 0 means that it could not be reached at all. */
export class EngineError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "EngineError";
    this.status = status;
  }
}

export interface CallOptions {
  /** Objects become JSON, as the Docker API wants its filters. */
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Gives up after this many milliseconds; without it the call may take as long as it takes. */
  timeoutMs?: number;
}

/** HTTP over the engine's Unix socket. */
export interface Wire {
  /** One request; the JSON answer, or null when there is none. Throws EngineError. */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>;
  /** One request whose answer is read piece by piece. Throws EngineError. */
  open(method: string, path: string, options?: CallOptions): Promise<AsyncIterable<Uint8Array>>;
}

function address(prefix: string, path: string, query: Record<string, unknown> = {}): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    parameters.set(key, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  const text = parameters.toString();
  return `http://docker${prefix}${path}${text === "" ? "" : `?${text}`}`;
}

/** The `message` of an error answer, or its text. */
async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const body: { message?: unknown } = JSON.parse(text);
    return typeof body.message === "string" ? body.message : text;
  } catch {
    return text;
  }
}

/**
 * A wire to `socketPath`; `prefix` is the API version such as `/v1.41`, empty for version-free calls.
 * This is Bun's own `fetch`: a client library for the same dozen calls costs 37 MB of memory (measured, see
 * docs/decisions.md).
 */
export function createWire(socketPath: string, prefix: string): Wire {
  async function send(method: string, path: string, options: CallOptions): Promise<Response> {
    const { query, body, headers = {}, signal, timeoutMs } = options;
    const limits = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)].filter(
      (item) => item !== undefined,
    );
    const init: BunFetchRequestInit = {
      method,
      unix: socketPath,
      // Kept connections would outlive a restart of the engine, and Bun's own time limit would cut long streams.
      keepalive: false,
      timeout: false,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(limits.length === 0 ? {} : { signal: AbortSignal.any(limits) }),
    };
    let response: Response;
    try {
      response = await fetch(address(prefix, path, query), init);
    } catch (error) {
      throw new EngineError(0, error instanceof Error ? error.message : String(error));
    }
    if (response.status >= 400) throw new EngineError(response.status, await reasonOf(response));
    return response;
  }

  return {
    async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
      const response = await send(method, path, options);
      const text = await response.text();
      return JSON.parse(text === "" || text === "OK" ? "null" : text);
    },
    async open(method, path, options = {}) {
      const response = await send(method, path, options);
      return response.body ?? emptyStream();
    },
  };
}

async function* emptyStream(): AsyncIterable<Uint8Array> {}

/** Runs `call` and answers null when the engine says that the thing does not exist. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return null;
    throw error;
  }
}

/** Runs `call` and takes "is so already" (304), "is gone" (404) and, if asked, "is in progress" (409) for success. */
export async function settled(call: Promise<unknown>, statuses: readonly number[] = [304, 404]): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof EngineError) || !statuses.includes(error.status)) throw error;
  }
}
