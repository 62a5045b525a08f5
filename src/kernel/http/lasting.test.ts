import { afterEach, expect, test } from "bun:test";
import { createHttpApp, guarded, trusted } from "../../../tests/kit/http-app.ts";
import { createChannel } from "../../lib/channel.ts";
import { kernelFail } from "./errors.ts";
import { type ServerEvent, sse } from "./sse.ts";

const opened: { stop(): void }[] = [];
afterEach(() => {
  for (const { stop } of opened.splice(0)) stop();
});

/** A server with a stream that everybody with a name in `allowed` may listen to. */
function serve() {
  const allowed = new Set<string>();
  const seen = { asked: [] as string[], turns: new Map<number, number>() };
  const channels = new Set<{ push(event: ServerEvent): void }>();
  let turn = 0;
  const http = createHttpApp(
    (ctx) => {
      return guarded(ctx).get(
        "/api/stream",
        ({ request }) =>
          sse(ctx, { request, server: null }, async function* (signal) {
            const channel = createChannel<ServerEvent>(10, signal);
            channels.add(channel);
            yield* channel;
          }),
        { access: trusted() },
      );
    },
    {
      authorize: async ({ request }) => {
        const name = request.headers.get("x-name") ?? "";
        seen.asked.push(name);
        seen.turns.set(turn, (seen.turns.get(turn) ?? 0) + 1);
        if (!allowed.has(name)) throw kernelFail("unauthorized");
        return name;
      },
    },
  );
  async function listen(name: string, nth = 0) {
    allowed.add(name);
    const response = await http.fetch("GET", "/api/stream", { headers: { "x-name": name, "x-nth": String(nth) } });
    const stream = { status: response.status, text: "", isOver: false };
    void (async () => {
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) stream.text += decoder.decode(piece);
      stream.isOver = true;
    })();
    return stream;
  }
  opened.push(http);
  return {
    allowed,
    seen,
    listen,
    changed: http.ctx.accessChanges.changed,
    publish: (event: string) => {
      for (const channel of channels) channel.push({ event, data: null });
    },
    /** Lets turns of the event loop go by, counted, until it is so. */
    async turns(isSo: () => boolean) {
      for (; !isSo() && turn < 10_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("hundreds of streams are asked anew in parts, and the turns between belong to others", async () => {
  const { allowed, seen, listen, changed, turns } = serve();
  const streams = await Promise.all(Array.from({ length: 300 }, (_, at) => listen("ada", at)));
  const late = await listen("bob");
  [seen.asked, seen.turns] = [[], new Map()];
  allowed.delete("bob");
  changed();
  await turns(() => late.isOver);
  expect(seen.asked).toHaveLength(301);
  expect(Math.max(...seen.turns.values())).toBeLessThanOrEqual(64);
  expect(streams.filter(({ isOver }) => isOver)).toEqual([]);
});

test("streams of one that brought the same are asked as one, and all of them end", async () => {
  const { allowed, seen, listen, changed, turns } = serve();
  const streams = await Promise.all(Array.from({ length: 300 }, () => listen("ada")));
  seen.asked = [];
  changed();
  await turns(() => seen.asked.length > 0);
  allowed.delete("ada");
  changed();
  await turns(() => streams.every(({ isOver }) => isOver));
  expect(streams.every(({ isOver }) => isOver)).toBe(true);
  expect(seen.asked.length).toBeLessThanOrEqual(4);
});

test("what happens after the end is told to nobody who was not asked since, and to all who may hear it", async () => {
  const { allowed, listen, changed, publish, turns } = serve();
  const streams = await Promise.all(Array.from({ length: 200 }, (_, at) => listen("ada", at)));
  const late = await listen("bob");
  publish("before");
  await turns(() => late.text.includes("before"));
  allowed.delete("bob");
  changed();
  // The turn in which those who last hear of it.
  await new Promise((resolve) => setImmediate(resolve));
  publish("after");
  await turns(() => late.isOver && streams.every(({ text }) => text.includes("after")));
  expect([late.isOver, late.text.includes("before"), late.text.includes("after")]).toEqual([true, true, false]);
  expect(streams.filter(({ text, isOver }) => isOver || !text.includes("after"))).toEqual([]);
});
