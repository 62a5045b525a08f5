import { IncomingMessage } from "node:http";
import { addAbortSignal, type Readable } from "node:stream";
import { cutText } from "../../../lib/cut-text.ts";
import { isRecord, parseJson, shapeOf } from "../../../lib/json.ts";
import { fail, type RuntimeStatus } from "./contract.ts";

/** Labels of images are in every list, and somebody else says how long they are. */
const MOST_ANSWER_MB = 64;
/** Nor how many: two million take ten seconds of the thread that answers everybody, and a thousand containers have 200,000 values. */
const MOST_VALUES = 1_000_000;
/** What a registry says against a pull comes in the engine's own words, however much it is. */
const MOST_REFUSAL = 65_536;
const MOST_WORDS = 2_000;

/** An engine that is there and gives no answer, in words for the screen. */
export const unanswered = (reason: string): RuntimeStatus => ({
  ...{ version: null, api_version: null, driver: null },
  state: "unreachable",
  message: `Docker does not answer: ${reason}`,
  next_step: "Look at it on the server with: systemctl status docker. Orrery connects again by itself.",
});

/**
 * What the engine answered instead of a result, cut to what people read; `status` 0 means that it could not be reached at all, which
 * whoever asked hears as `runtime_unavailable` where nothing knows better.
 */
export class EngineError extends Error {
  readonly status: number;
  /** What the system said, such as `ECONNREFUSED`; null where it was the engine. */
  readonly code: string | null;

  constructor(status: number, message: string, code: string | null = null) {
    const words = cutText(message, MOST_WORDS);
    super(words, status === 0 ? { cause: fail("runtime_unavailable", { ...unanswered(words) }) } : {});
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
  /** One request; the JSON answer, or null when there is none. Throws EngineError, `runtime_answer_too_large`. */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>;
  /** One request whose answer is read piece by piece. Throws EngineError. */
  open(method: string, path: string, options?: CallOptions): Promise<AsyncIterable<Uint8Array>>;
}

/** The Docker API's answers are taken as its documentation describes them. */
const isDocumented = <T>(_answer: unknown): _answer is T => true;

const SUCCESS = new Set([101, 200, 201, 202, 204]);
/** Refusals come as answers too: dockerode would hold all of them, of any size. */
const ANY_STATUS = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [100 + index, true]));

/** What no answer came for, and why. */
function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (!(error instanceof Error)) return new EngineError(0, String(error));
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  return new EngineError(0, error.message.trim(), code);
}

/** When a call is given up; null for one that takes as long as it takes. */
function limitOf({ signal, timeoutMs }: CallOptions): AbortSignal | null {
  const limits = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)].filter(
    (item) => item !== undefined,
  );
  return limits.length === 0 ? null : AbortSignal.any(limits);
}

/** The first `most` bytes of an answer as text, and whether that is all of it. */
async function readBeginning(
  answer: IncomingMessage,
  most: number,
  limit: AbortSignal | null,
): Promise<{ text: string; isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  // The request itself can only be given up until it is answered.
  if (limit !== null) addAbortSignal(limit, answer);
  try {
    for await (const piece of answer) {
      pieces.push(piece);
      size += piece.length;
      if (size > most) break;
    }
  } catch (error) {
    throw toEngineError(error);
  }
  return { text: Buffer.concat(pieces).subarray(0, most).toString(), isWhole: size <= most };
}

async function refusalOf(answer: IncomingMessage, limit: AbortSignal | null): Promise<EngineError> {
  const status = answer.statusCode ?? 0;
  const { text } = await readBeginning(answer, MOST_REFUSAL, limit);
  const json = parseJson(text);
  const reason = isRecord(json) ? json["message"] : null;
  return new EngineError(status, typeof reason === "string" ? reason : text.trim() || `the engine answered ${status}`);
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

  async function dial(
    method: string,
    path: string,
    { body, file, headers = {}, ...options }: CallOptions,
    limit: AbortSignal | null,
  ): Promise<IncomingMessage> {
    loading ??= loadModem();
    const modem = await loading;
    const query = present(options.query);
    const request = {
      method,
      path: Object.keys(query).length === 0 ? path : `${path}?`,
      headers: { ...headers },
      options: { _query: query, _body: body ?? {} },
      isStream: true,
      statusCodes: ANY_STATUS,
      ...(file === undefined ? {} : { file }),
      ...(limit === null ? {} : { abortSignal: limit }),
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      modem.dial(request, (error: unknown, given: unknown) => {
        if (given instanceof IncomingMessage) resolve(given);
        else reject(toEngineError(error));
      });
    });
    if (!SUCCESS.has(answer.statusCode ?? 0)) throw await refusalOf(answer, limit);
    return answer;
  }

  return {
    async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
      const limit = limitOf(options);
      const { text, isWhole } = await readBeginning(
        await dial(method, path, options, limit),
        MOST_ANSWER_MB * 1_048_576,
        limit,
      );
      // A shorter text cannot have as many.
      const isFair = isWhole && (text.length < MOST_VALUES || shapeOf(text).values <= MOST_VALUES);
      const answer = isFair ? parseJson(text) : null;
      if (isFair && isDocumented<T>(answer)) return answer;
      throw fail("runtime_answer_too_large", { most_mb: MOST_ANSWER_MB, most_values: MOST_VALUES });
    },
    open: (method, path, options = {}) => dial(method, path, options, limitOf(options)),
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
