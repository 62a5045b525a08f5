import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { Elysia, t } from "elysia";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createHttpApp, type HttpApp } from "../../../tests/kit/http-app.ts";
import { until } from "../../../tests/kit/until.ts";
import { seconds } from "../../lib/duration.ts";
import type { Take } from "./body-budget.ts";
import { asStranger, createBodyIntake } from "./body-intake.ts";
import { AppError } from "./errors.ts";

const MIB = 1_048_576;
const LIMITS = { each: 8 * MIB, all: 32 * MIB };

/** Lets what is decided be heard by everybody. */
const settle = () => new Promise(setImmediate);

/** Bodies that come when the test says so. */
function createBodies(crowd?: Parameters<typeof createBodyIntake>[2]) {
  const clock = createFakeClock();
  const intake = createBodyIntake(clock, LIMITS, crowd);
  return {
    clock,
    begin(owners: Parameters<typeof intake>[0]) {
      const done = Promise.withResolvers<string>();
      let outcome = "open";
      let take: Take = () => {};
      intake(owners, (given) => {
        take = given;
        return done.promise;
      }).then(
        (text) => {
          outcome = text;
        },
        (error) => {
          outcome = error instanceof AppError ? `${error.status} ${error.headers["connection"]}` : String(error);
        },
      );
      return { outcome: () => outcome, arrive: (bytes: number) => take(bytes), end: () => done.resolve("whole") };
    },
  };
}

test("a body has ten seconds, and one more for every 8 KiB of it", async () => {
  const { clock, begin } = createBodies();
  const [silent, steady, announced] = [begin("a"), begin("a"), begin("a")];
  announced.arrive(80 * 1_024);
  for (let second = 0; second < 15; second++) {
    if (second < 13) steady.arrive(8_192);
    await clock.advance(seconds(1));
    if (second === 9)
      expect([silent, steady, announced].map((body) => body.outcome())).toEqual(["open", "open", "open"]);
  }
  expect([silent, steady, announced].map((body) => body.outcome())).toEqual(["408 close", "open", "open"]);
  steady.end();
  await clock.advance(seconds(6));
  expect([steady.outcome(), announced.outcome()]).toEqual(["whole", "408 close"]);
});

test("what was stopped can hold nothing any more, and what it held is free", async () => {
  const { clock, begin } = createBodies();
  const slow = begin("a");
  await clock.advance(seconds(11));
  await settle();
  expect(slow.outcome()).toBe("408 close");
  expect(() => slow.arrive(LIMITS.each)).toThrow();
  const next = begin("a");
  next.arrive(LIMITS.each);
  next.end();
  await settle();
  expect(next.outcome()).toBe("whole");
});

test("a network that comes with many finds its own room full, and leaves others theirs", async () => {
  const { clock, begin } = createBodies({ max: 6, maxOfEach: 4, fairMs: seconds(2) });
  const many = Array.from({ length: 6 }, () => begin("many"));
  const outcomes = () => many.map((body) => body.outcome());
  await settle();
  expect(outcomes()).toEqual(["open", "open", "open", "open", "429 close", "429 close"]);
  await clock.advance(seconds(2) + 1);
  const later = [begin("many"), begin("b"), begin("c"), begin("d")];
  await settle();
  expect(outcomes().slice(0, 4)).toEqual(["429 close", "429 close", "open", "open"]);
  expect(later.map((body) => body.outcome())).toEqual(["open", "open", "open", "open"]);
});

test("a site of strangers leaves room at once to other strangers, and to those who are signed in", async () => {
  const { begin } = createBodies({ max: 50, maxOfEach: 20, fairMs: seconds(2) });
  const flood = Array.from({ length: 500 }, (_, at) => begin(asStranger(`2001:db8:1:${at.toString(16)}::1`)));
  const others = [asStranger("2001:db8:2::1"), asStranger("192.0.2.1"), ["account"], ["workspace", "account"]].map(
    begin,
  );
  await settle();
  expect(others.map((body) => body.outcome())).toEqual(["open", "open", "open", "open"]);
  expect(flood.filter((body) => body.outcome() === "open")).toHaveLength(48);
});

test("a body that comes finds room for as much as those hold who hold most, and the oldest of them makes it", async () => {
  const { clock, begin } = createBodies();
  const sizes = [
    ["a", 2],
    ["a", 2],
    ["b", 2],
    ["b", 2],
    ["c", 1.5],
    ["c", 1.5],
  ] as const;
  const many = sizes.map(([key, size]) => {
    const body = begin(key);
    body.arrive(size * MIB);
    return body;
  });
  await clock.advance(seconds(3));
  const own = begin("own");
  for (let at = 0; at < 7; at += 1) own.arrive(MIB / 2);
  // Of those who hold no more than it would nobody goes.
  expect(() => own.arrive(MIB / 2)).toThrow("More data is on its way");
  own.end();
  await settle();
  expect(own.outcome()).toBe("whole");
  expect(many.map((body) => body.outcome())).toEqual(["429 close", "open", "429 close", "open", "open", "open"]);
  expect(() => many[0]?.arrive(1)).toThrow();
});

test("nobody makes room who has just come", async () => {
  const { clock, begin } = createBodies();
  const many = [begin("a"), begin("b")];
  for (const body of many) body.arrive(4 * MIB);
  await clock.advance(seconds(1));
  const own = begin("own");
  expect(() => own.arrive(3.5 * MIB)).toThrow("More data is on its way");
  await settle();
  expect(many.map((body) => body.outcome())).toEqual(["open", "open"]);
  await clock.advance(seconds(2));
  own.arrive(3.5 * MIB);
  await settle();
  expect(many.map((body) => body.outcome())).toEqual(["429 close", "open"]);
});

test("those of many networks count for what they have in common, and make room for who does not share it", async () => {
  const { clock, begin } = createBodies();
  const many = Array.from({ length: 100 }, (_, at) => begin(["link a", `n${at}`]));
  for (const body of many) body.arrive(MIB / 5);
  await clock.advance(seconds(3));
  const same = begin(["link a", "own"]);
  expect(() => same.arrive(4 * MIB)).toThrow("More data is on its way");
  const other = begin(["link b", "own"]);
  for (let at = 0; at < 4; at += 1) other.arrive(MIB);
  other.end();
  await settle();
  expect([other.outcome(), many[0]?.outcome(), many[99]?.outcome()]).toEqual(["whole", "429 close", "open"]);
});

let app: HttpApp | null = null;
afterEach(async () => {
  await app?.app.stop(true);
});

test("over the wire: who drips is told so and cut off, and everybody else is answered meanwhile", async () => {
  const made = createHttpApp(({ guard }) =>
    new Elysia().use(guard).post("/echo", ({ body }) => body, {
      access: { kind: "open" },
      body: t.Object({ name: t.String() }),
    }),
  );
  app = made;
  made.app.listen({ port: 0, hostname: "127.0.0.1" });
  const port = made.app.server?.port ?? 0;
  const heads = ["Content-Length: 900000", "Transfer-Encoding: chunked"];
  const drippers = heads.map((head) => {
    const seen = { text: "", isClosed: false };
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (part) => {
      seen.text += String(part);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      seen.isClosed = true;
    });
    const body = head.startsWith("Content") ? "{" : "1\r\n{\r\n";
    socket.write(`POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${head}\r\n\r\n${body}`);
    return seen;
  });
  const say = () =>
    fetch(`http://127.0.0.1:${port}/echo`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"name":"ada"}',
    });
  // Time passes until both are through, whenever the runtime has shown them to us; the first announced 110 seconds' worth.
  await until(
    async () => {
      await made.ctx.clock.advance(seconds(1));
      expect((await say()).status).toBe(200);
      return drippers.every(({ isClosed }) => isClosed);
    },
    { everyMs: 1 },
  );
  for (const { text } of drippers) {
    expect(text).toStartWith("HTTP/1.1 408");
    expect(text).toContain('"code":"body_too_slow"');
  }
});
