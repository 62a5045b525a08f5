import { expect, test } from "bun:test";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createHttpApp, guarded, trusted } from "../../../tests/kit/http-app.ts";
import { kernelFail } from "./errors.ts";
import { resumeFrom, type ServerEvent, sse } from "./sse.ts";

function open(source: (signal: AbortSignal) => AsyncIterable<ServerEvent>, method = "GET") {
  const clock = createFakeClock();
  const stopping = new AbortController();
  const client = new AbortController();
  const request = new Request("http://localhost/", { method, signal: client.signal });
  const timeouts: number[] = [];
  const server = { timeout: (_request: Request, seconds: number) => void timeouts.push(seconds) };
  const response = sse({ clock, signal: stopping.signal }, { request, server }, source);
  const reader = response.body?.getReader();
  /** The next piece of text; null at the end. */
  async function next(): Promise<string | null> {
    const piece = await reader?.read();
    return piece?.value ? new TextDecoder().decode(piece.value) : null;
  }
  return { clock, stopping, client, timeouts, response, reader, next };
}

/** Yields what it is given, then waits for the signal; tells when it was cleaned up. */
function waitingSource(events: ServerEvent[]) {
  const seen = { ended: false, aborted: false };
  async function* source(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    try {
      yield* events;
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    } finally {
      seen.ended = true;
      seen.aborted = signal.aborted;
    }
  }
  return { seen, source };
}

const settle = () => Bun.sleep(0);

test("events are written with number, name and JSON, and the end of the source ends the stream", async () => {
  const { next, response, timeouts } = open(async function* () {
    yield { event: "plan", id: 1, data: { text: "two\nlines" } };
    yield { event: "log", data: null };
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(timeouts).toEqual([0]);
  expect(await next()).toBe(": open\n\n");
  expect(await next()).toBe('id: 1\nevent: plan\ndata: {"text":"two\\nlines"}\n\n');
  expect(await next()).toBe("event: log\ndata: null\n\n");
  expect(await next()).toBeNull();
});

test("a silent stream is kept alive every 15 seconds, and not after its end", async () => {
  const { source } = waitingSource([]);
  const { clock, next, client } = open(source);
  await next();
  const first = next();
  await clock.advance(14_999);
  await clock.advance(1);
  expect(await first).toBe(": keep-alive\n\n");
  const second = next();
  await clock.advance(15_000);
  expect(await second).toBe(": keep-alive\n\n");
  client.abort();
  expect(await next()).toBeNull();
  await clock.advance(60_000);
});

test.each(["the client leaves", "the program stops", "the reader cancels"])(
  "when %s the source is cleaned up",
  async (how) => {
    const { seen, source } = waitingSource([{ event: "x", data: 1 }]);
    const { client, stopping, reader, next } = open(source);
    await next();
    await next();
    const last = how === "the reader cancels" ? null : next();
    if (how === "the client leaves") client.abort();
    if (how === "the program stops") stopping.abort();
    if (how === "the reader cancels") await reader?.cancel();
    expect(await last).toBeNull();
    await settle();
    expect(seen).toEqual({ ended: true, aborted: true });
  },
);

test("a stream that is refused before it began ends at once", async () => {
  const clock = createFakeClock();
  const { source } = waitingSource([]);
  const request = new Request("http://localhost/");
  const response = sse({ clock, signal: AbortSignal.abort() }, { request, server: null }, source);
  expect(await response.text()).toBe(": open\n\n");
});

test("an error in the source becomes a last event without its text", async () => {
  const { next } = open(async function* () {
    yield { event: "x", data: 1 };
    throw new Error("secret of the database");
  });
  await next();
  await next();
  expect(await next()).toBe('event: error\ndata: {"code":"internal"}\n\n');
  expect(await next()).toBeNull();
});

test("a slow client holds the source back instead of filling memory", async () => {
  let made = 0;
  const { next } = open(async function* () {
    while (true) {
      made += 1;
      yield { event: "x", data: made };
    }
  });
  await next();
  for (let turn = 0; turn < 20; turn++) await settle();
  expect(made).toBeLessThan(5);
});

test("keep-alives do not pile up for a client that does not read", async () => {
  const { source } = waitingSource([]);
  const { clock, next, client } = open(source);
  await clock.advance(3_600_000);
  client.abort();
  const pieces: string[] = [];
  for (let piece = await next(); piece !== null; piece = await next()) pieces.push(piece);
  expect(pieces).toEqual([": open\n\n"]);
});

test("HEAD tells the type and starts nothing", async () => {
  let began = false;
  const { response, timeouts } = open(async function* () {
    began = true;
    yield { event: "x", data: 1 };
  }, "HEAD");
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(await response.text()).toBe("");
  expect([began, timeouts]).toEqual([false, []]);
});

test("a stream ends soon after its caller may no longer see it", async () => {
  let isAllowed = true;
  const { seen, source } = waitingSource([]);
  const http = createHttpApp(
    (ctx) =>
      guarded(ctx).get("/api/stream", ({ request }) => sse(ctx, { request, server: null }, source), {
        access: trusted(),
      }),
    {
      authorize: async () => {
        if (!isAllowed) throw kernelFail("unauthorized");
        return "ada";
      },
    },
  );
  const response = await http.fetch("GET", "/api/stream");
  const text = response.text();
  await http.ctx.clock.advance(60_000);
  expect(seen.ended).toBe(false);
  isAllowed = false;
  await http.ctx.clock.advance(15_000);
  expect(await text).toContain(": keep-alive");
  expect(seen).toEqual({ ended: true, aborted: true });
});

test.each([
  [undefined, null, 1],
  [5, null, 5],
  [0, "9", 0],
  [undefined, "9", 10],
  [undefined, "0", 1],
  [undefined, "-1", 1],
  [undefined, "x", 1],
  [undefined, "1e999", 1],
  [undefined, "1.5", 1],
])("from=%p with Last-Event-ID %p resumes at %d", (from, lastId, expected) => {
  const headers: Record<string, string> = lastId === null ? {} : { "last-event-id": lastId };
  expect(resumeFrom(new Request("http://localhost/", { headers }), from)).toBe(expected);
});
