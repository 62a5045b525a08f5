import { addressOf } from "./base.ts";
import type { Access, Renewal } from "./call.ts";
import { markHeard, markUnreachable, onReconnect, untilLost } from "./connection.ts";
import { type Problem, problemOf } from "./problem.ts";

/** One event of a stream; `data` is the parsed JSON, or the text when it is none. */
export interface StreamEvent {
  id: string;
  type: string;
  data: unknown;
}

export interface StreamOptions {
  /** Id of the last event that is known already: the stream goes on behind it. */
  after?: string;
  onEvent: (event: StreamEvent) => void;
  /** The server refused for good (403, 404 …); the stream ends. */
  onRefused?: (problem: Problem) => void;
  onOpen?: () => void;
  /** Return true to end the stream after this event. */
  endsWith?: (event: StreamEvent) => boolean;
}

/**
 * Follows a Server-Sent-Events address until the returned function is called. After a break it waits 1 to 15 s and resumes
 * with Last-Event-ID, so that no event is lost or seen twice; a server that is found to be away ends the stream, and its return begins
 * it anew. Not EventSource: that one hides why a stream was refused.
 */
export function followStream(url: string, access: Access, options: StreamOptions): () => void {
  const abort = new AbortController();
  void run(url, access, options, abort.signal);
  return () => abort.abort();
}

async function run(url: string, access: Access, options: StreamOptions, signal: AbortSignal): Promise<void> {
  let lastId = options.after ?? "";
  let attempt = 0;
  let renewals = 0;
  while (!signal.aborted) {
    const headers: Record<string, string> = { ...(await access.headers?.(false)), accept: "text/event-stream" };
    if (lastId !== "") headers["last-event-id"] = lastId;
    const sentAt = performance.now();
    const open = AbortSignal.any([signal, untilLost()]);
    const response = await fetch(addressOf(url), { headers, signal: open, cache: "no-store" }).catch(() => null);
    // On a page that makes no other calls only the stream notices that the server is gone.
    if (response === null && !open.aborted) markUnreachable();
    let renewal: Renewal = "over";
    if (response?.status === 401 && renewals < mostRenewals) {
      renewal = await access.renew();
      if (renewal === "renewed") {
        renewals += 1;
        continue;
      }
    }
    if (response?.status === 423 && access.onLocked !== undefined) {
      if (await access.onLocked(true, sentAt)) continue;
      return;
    }
    if (response !== null && isRefusal(response.status) && renewal !== "unknown") {
      const problem = await problemOf(response);
      if (!signal.aborted) options.onRefused?.(problem);
      return;
    }
    if (response?.ok && response.body !== null) {
      renewals = 0;
      options.onOpen?.();
      const ended = await readEvents(response.body, (event) => {
        if (signal.aborted) return true;
        attempt = 0;
        if (event.id !== "") lastId = event.id;
        options.onEvent(event);
        return options.endsWith?.(event) === true;
      });
      if (ended) return abortQuietly(response);
    }
    if (signal.aborted) return;
    await pause(Math.min(15_000, 1000 * 2 ** attempt), signal);
    attempt += 1;
  }
}

/** How often in a row a renewed session may be refused before the stream gives up. */
const mostRenewals = 2;

/** Whether a repeat would get the same answer. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function abortQuietly(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** Reads a stream to its end; true when `onEvent` asked to stop. */
async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: StreamEvent) => boolean,
): Promise<boolean> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parse = createEventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      markHeard();
      for (const event of parse(decoder.decode(value, { stream: true }))) if (onEvent(event)) return true;
    }
  } catch {
    return false;
  } finally {
    reader.releaseLock();
  }
}

/** A parser that takes text in any pieces and gives the events that are complete. Follows the HTML specification's event-stream format. */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = "";
  let id = "";
  let type = "";
  let data: string[] = [];
  return (text) => {
    const events: StreamEvent[] = [];
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0)
          events.push({ id, type: type === "" ? "message" : type, data: parseJson(data.join("\n")) });
        type = "";
        data = [];
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "data") data.push(value);
      else if (field === "event") type = value;
      else if (field === "id") id = value;
    }
    return events;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Waits; not longer than until the server is back or the stream is given up. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stop = onReconnect(end);
    signal.addEventListener("abort", end);
  });
}
