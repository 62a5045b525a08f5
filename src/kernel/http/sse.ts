import type { Clock } from "../../lib/clock.ts";
import type { AccessChanges } from "./access-changes.ts";
import { createLasting } from "./lasting.ts";
import type { TakeStreamPlace } from "./stream-places.ts";

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
  /** Ends it at once when its reader may no longer see it; without, they are asked every 15 seconds. */
  accessChanges?: Pick<AccessChanges, "onChange">;
  /** Bounds how many there are; left out where the feature does so itself. */
  takeStreamPlace?: TakeStreamPlace;
}

interface SseRequest {
  request: Request;
  /** The listening server; its idle timer is switched off for this request. Null in in-process tests. */
  server: { timeout(request: Request, seconds: number): void } | null;
}

const KEEP_ALIVE_MS = 15_000;
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};
const encoder = new TextEncoder();

/**
 * Streams what `source` yields until it ends, the client leaves, may no longer see it or the program stops. The generator
 * receives a signal that aborts in all cases but the first. It is asked for the next event only when the client has taken the one before, so a
 * slow client costs no memory. An error inside becomes a last event `error` without its text. Throws `streams_full`.
 */
export function sse(
  deps: SseDeps,
  { request, server }: SseRequest,
  source: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
): Response {
  // Nobody would ever read or cancel the body.
  if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
  const place = deps.takeStreamPlace?.(request);
  server?.timeout(request, 0);
  const left = new AbortController();
  const ends = [deps.signal, request.signal, left.signal];
  const signal = AbortSignal.any(place ? [...ends, place.lost] : ends);
  let events: AsyncIterator<ServerEvent>;
  try {
    events = source(signal)[Symbol.asyncIterator]();
  } catch (error) {
    place?.give();
    throw error;
  }
  const lasting = createLasting(request, deps.accessChanges, () => left.abort());
  let stopKeepAlive = () => {};
  let isOver = false;

  function finish(): void {
    isOver = true;
    stopKeepAlive();
    lasting.stop();
    place?.give();
    // Its clean-up may wait for something that the signal ends; nobody waits for it here.
    void Promise.resolve(events.return?.()).catch(() => {});
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text));
      write(": open\n\n");
      const stop = () => {
        if (isOver) return;
        finish();
        controller.close();
      };
      stopKeepAlive = deps.clock.every(KEEP_ALIVE_MS, () => {
        if ((controller.desiredSize ?? 0) > 0) write(": keep-alive\n\n");
        lasting.askNow();
      });
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
    },
    async pull(controller) {
      const next = await nextEvent(events);
      // What happens after a change is kept from whoever lost by it what let them in, though it was not their turn yet to be asked.
      const isHeard = next.event ? await (lasting.mayHear() ?? true) : false;
      if (isOver) return;
      if (next.event && isHeard) controller.enqueue(encoder.encode(formatEvent(next.event)));
      if (!next.isLast) return;
      finish();
      controller.close();
    },
    cancel() {
      if (!isOver) finish();
      left.abort();
    },
  });
  return new Response(body, { headers: HEADERS });
}

async function nextEvent(events: AsyncIterator<ServerEvent>): Promise<{ event: ServerEvent | null; isLast: boolean }> {
  try {
    const { value, done } = await events.next();
    return done ? { event: null, isLast: true } : { event: value, isLast: false };
  } catch {
    return { event: { event: "error", data: { code: "internal" } }, isLast: true };
  }
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
