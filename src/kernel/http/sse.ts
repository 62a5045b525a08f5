import type { Clock } from "../../lib/clock.ts";

/** One server-sent event. `id` lets a client resume; `data` is written as JSON. */
export interface ServerEvent {
  event: string;
  data: unknown;
  id?: string | number;
}

interface SseDeps {
  clock: Clock;
  /** Ends the stream when the program stops. */
  signal: AbortSignal;
}

interface SseRequest {
  request: Request;
  /** The listening server; its idle timer is switched off for this request. Null in in-process tests. */
  server: { timeout(request: Request, seconds: number): void } | null;
}

const KEEP_ALIVE_MS = 15_000;
const encoder = new TextEncoder();

/**
 * Streams what `source` yields until it ends, the client leaves or the program stops. The generator receives a signal
 * that aborts in the last two cases. An error inside becomes a last event `error` without its text.
 */
export function sse(
  deps: SseDeps,
  { request, server }: SseRequest,
  source: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
): Response {
  server?.timeout(request, 0);
  const left = new AbortController();
  const signal = AbortSignal.any([deps.signal, request.signal, left.signal]);

  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(text));
      };
      write(": open\n\n");
      const stopKeepAlive = deps.clock.every(KEEP_ALIVE_MS, () => write(": keep-alive\n\n"));
      try {
        for await (const event of source(signal)) write(formatEvent(event));
      } catch {
        write(formatEvent({ event: "error", data: { code: "internal" } }));
      }
      stopKeepAlive();
      if (!left.signal.aborted) controller.close();
    },
    cancel: () => left.abort(),
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

function formatEvent({ event, data, id }: ServerEvent): string {
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return `${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** First event number a client wants: `?from=N`, or one after `Last-Event-ID`, or `fallback`. */
export function resumeFrom(request: Request, from: number | undefined, fallback = 1): number {
  if (from !== undefined) return from;
  const last = Number(request.headers.get("last-event-id") ?? Number.NaN);
  return Number.isSafeInteger(last) && last >= 0 ? last + 1 : fallback;
}
