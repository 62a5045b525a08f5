import { AppError } from "../../kernel/http/errors.ts";
import {
  frameText,
  type NodeFrame,
  type PanelFrame,
  STREAM_FRAME_BYTES,
  STREAM_INPUT_WINDOW,
  STREAMS_MAX,
  type StreamFailure,
  streamCost,
} from "../agent-protocol/index.ts";

/** A stream that the panel opened. */
export interface ServedStream {
  params: Readonly<Record<string, unknown>>;
  /** Aborts when the panel closes it or the session ends. */
  signal: AbortSignal;
  /** What the panel sends, in order, until the stream is over; taking it lets the next come. One reader. */
  input: AsyncIterable<unknown>;
  /** Sends once the panel has taken enough of what was sent before; resolves then, or when the stream is over. One at a time. */
  send(data: unknown): Promise<void>;
}

/** Serves one stream: it ends when this does. An `AppError` is told with its code, any other one as `internal`. */
export type ServeStream = (stream: ServedStream) => Promise<void>;

/** What the panel may open streams of, by name. */
export type StreamServices = Readonly<Record<string, ServeStream>>;

type StreamFrame = Extract<PanelFrame, { kind: "open" | "credit" | "data" | "close" }>;

interface Served {
  ended: AbortController;
  credit: number;
  wake(): void;
  input: { data: unknown; cost: number }[];
  /** What the panel may still send. */
  room: number;
  wakeReader(): void;
}

const INTERNAL: StreamFailure = { code: "internal", message: "Something went wrong on the node; its log has more." };
const UNKNOWN: StreamFailure = { code: "agent_outdated", message: "This node does not know what it is asked for." };
const TOO_MANY: StreamFailure = { code: "streams_full", message: "This node is watched too many times at once." };

/** The node's end of the streams of one session. */
export function createStreamServer(services: StreamServices, write: (text: string) => void) {
  const open = new Map<number, Served>();
  /** Those that are served, also where the panel closed them since: what they began is not through yet. */
  let running = 0;
  const say = (frame: NodeFrame) => write(frameText(frame));

  async function* inputOf(served: Served, stream: number): AsyncGenerator<unknown> {
    const { signal } = served.ended;
    while (!signal.aborted) {
      const next = served.input.shift();
      if (next) {
        served.room += next.cost;
        say({ kind: "credit", stream, bytes: next.cost });
        yield next.data;
        continue;
      }
      await new Promise<void>((resolve) => {
        served.wakeReader = resolve;
      });
    }
  }

  function streamOf(served: Served, stream: number, params: ServedStream["params"]): ServedStream {
    const { signal } = served.ended;
    return {
      params,
      signal,
      input: inputOf(served, stream),
      async send(data) {
        while (served.credit <= 0 && !signal.aborted) {
          await new Promise<void>((resolve) => {
            served.wake = resolve;
          });
        }
        if (signal.aborted) return;
        const text = frameText({ kind: "data", stream, data });
        const bytes = Buffer.byteLength(text) - 1;
        if (bytes > STREAM_FRAME_BYTES) throw new Error(`a frame of a stream has ${bytes} bytes`);
        served.credit -= streamCost(bytes);
        write(text);
      },
    };
  }

  async function serve({ stream, service, params, credit }: Extract<StreamFrame, { kind: "open" }>): Promise<void> {
    const run = Object.hasOwn(services, service) ? services[service] : undefined;
    if (!run) return say({ kind: "close", stream, failure: UNKNOWN });
    if (running >= STREAMS_MAX || open.has(stream)) return say({ kind: "close", stream, failure: TOO_MANY });
    const served: Served = {
      ended: new AbortController(),
      ...{ credit, input: [], room: STREAM_INPUT_WINDOW, wake: () => {}, wakeReader: () => {} },
    };
    open.set(stream, served);
    running += 1;
    let failure: StreamFailure | null = null;
    try {
      await run(streamOf(served, stream, params));
    } catch (error) {
      failure = error instanceof AppError ? { code: error.code, message: error.message } : INTERNAL;
    } finally {
      running -= 1;
    }
    // One that the panel closed was answered at once: its source may need a while to end, and its number may be another's by now.
    if (open.get(stream) !== served) return;
    open.delete(stream);
    served.ended.abort();
    served.wake();
    served.wakeReader();
    say({ kind: "close", stream, failure });
  }

  function end(stream: number): void {
    const served = open.get(stream);
    open.delete(stream);
    served?.ended.abort();
    served?.wake();
    served?.wakeReader();
  }

  return {
    /** Takes a frame of so many bytes. Throws for more than the panel may send. */
    take(frame: StreamFrame, bytes: number): void {
      if (frame.kind === "open") void serve(frame);
      if (frame.kind === "close" && open.has(frame.stream)) {
        end(frame.stream);
        say({ kind: "close", stream: frame.stream, failure: null });
      }
      const served = open.get(frame.stream);
      if (served && frame.kind === "credit") {
        served.credit += frame.bytes;
        served.wake();
      }
      if (served && frame.kind === "data") {
        if (served.room <= 0) throw new Error("a stream has more than it takes");
        const cost = streamCost(bytes);
        served.room -= cost;
        served.input.push({ data: frame.data, cost });
        served.wakeReader();
      }
    },
    /** The session is over. */
    endAll(): void {
      for (const stream of [...open.keys()]) end(stream);
    },
  };
}
