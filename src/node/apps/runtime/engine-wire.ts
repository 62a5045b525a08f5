import type { Readable } from "node:stream";

/** What the engine answered instead of a result; `status` 0 means that it could not be reached at all. */
export class EngineError extends Error {
  readonly status: number;
  /** What the system said, such as `ECONNREFUSED`; null where it was the engine. */
  readonly code: string | null;

  constructor(status: number, message: string, code: string | null = null) {
    super(message);
    this.name = "EngineError";
    this.status = status;
    this.code = code;
  }
}

export interface CallOptions {
  /** Objects become JSON, as the Docker API wants its filters. */
  query?: Record<string, unknown>;
  body?: unknown;
  /** A body that is sent piece by piece instead. */
  file?: Readable;
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

/** What dockerode throws when the engine answers with an error. */
interface DialError {
  statusCode?: number;
  json?: { message?: unknown };
  message: string;
  code?: string;
}

/** The Docker API's answers are taken as its documentation describes them. */
const isDocumented = <T>(_answer: unknown): _answer is T => true;

const SUCCESS = Object.fromEntries([101, 200, 201, 202, 204].map((status) => [status, true]));

function toEngineError(error: DialError): EngineError {
  const reason = error.json?.message;
  return new EngineError(error.statusCode ?? 0, typeof reason === "string" ? reason : error.message.trim(), error.code);
}

/** What is there of a query: the Docker API takes an empty parameter for a value. */
function present(query: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
}

/** A wire to `socketPath` through dockerode; `version` is the API version such as `v1.41`, empty for version-free calls. */
export function createWire(socketPath: string, version: string): Wire {
  // Loaded with the first call: the node answers before it has looked for the engine.
  const loadModem = async () => {
    const { default: Docker } = await import("dockerode");
    return new Docker(version === "" ? { socketPath } : { socketPath, version }).modem;
  };
  let loading: ReturnType<typeof loadModem> | null = null;

  async function dial<T>(method: string, path: string, options: CallOptions, isStream: boolean): Promise<T> {
    loading ??= loadModem();
    const modem = await loading;
    const { body, file, headers = {}, signal, timeoutMs } = options;
    const limits = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)].filter(
      (item) => item !== undefined,
    );
    const query = present(options.query);
    const request = {
      method,
      path: Object.keys(query).length === 0 ? path : `${path}?`,
      headers: { ...headers },
      options: { _query: query, _body: body ?? {} },
      isStream,
      statusCodes: SUCCESS,
      ...(file === undefined ? {} : { file }),
      ...(limits.length === 0 ? {} : { abortSignal: AbortSignal.any(limits) }),
    };
    return new Promise((resolve, reject) => {
      modem.dial(request, (error: DialError | null, answer: unknown) => {
        if (error) return reject(toEngineError(error));
        if (isDocumented<T>(answer)) resolve(answer);
      });
    });
  }

  return {
    call: (method, path, options = {}) => dial(method, path, options, false),
    open: (method, path, options = {}) => dial(method, path, options, true),
  };
}

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
