import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHttpReceiver, startSyslogReceiver } from "../../../../../tests/kit/log-receivers.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { type Clock, systemClock } from "../../../../lib/clock.ts";
import { type LineBuffer, openLineBuffer } from "../buffer/line-buffer.ts";
import type { ForwarderKind } from "../contract.ts";
import { asChecked, createSender } from "../senders/index.ts";
import { type Drain, startDrain } from "./drain.ts";
import { pauseAfter } from "./retry.ts";

const root = mkdtempSync(join(tmpdir(), "drain-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Waits are a twentieth as long, as far as the clock is asked. */
const quick: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

let count = 0;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Made {
  buffer: LineBuffer;
  drain: Drain;
  told: string[];
  /** Most bytes of lines that were being sent together, and most sends at a time. */
  inHand: { most: number; sends: number };
  write(...texts: string[]): Promise<void>;
}

async function makeDrain(kind: ForwarderKind, config: unknown): Promise<Made> {
  const buffer = await openLineBuffer({ folder: join(root, String(count++)), limit: 1e8, onDrop: () => {} });
  const checked = asChecked(kind, config);
  if (!checked) throw new Error("the configuration does not fit");
  const told: string[] = [];
  const sender = createSender({ clock: quick, ownPorts: new Set(), server: () => "home" }, checked, null);
  const inHand = { most: 0, sends: 0 };
  let sending = 0;
  const drain = startDrain({
    clock: quick,
    random: () => 0,
    id: "lfw_1",
    buffer,
    sender: {
      ...sender,
      settleMs: sender.settleMs / 20,
      async send(lines, id) {
        sending += 1;
        inHand.sends = Math.max(inHand.sends, sending);
        inHand.most = Math.max(inHand.most, Buffer.byteLength(JSON.stringify(lines)));
        const result = await sender.send(lines, id);
        sending -= 1;
        return result;
      },
    },
    onTaken: () => void told.push("taken"),
    onFailed: (words) => void told.push(words),
  });
  ends.push(
    () => buffer.close(),
    () => drain.stop(),
  );
  return {
    buffer,
    drain,
    told,
    inHand,
    async write(...texts) {
      const lines = texts.map((text) => ({ at: "2026-01-01T00:00:00Z", source: "web", level: null, text }));
      await buffer.append(lines.map((line) => Buffer.from(JSON.stringify(line))));
      drain.wake();
    },
  };
}

const textsOf = (receiver: ReturnType<typeof startHttpReceiver>): string[] =>
  receiver.got.flatMap(({ json }) => json.lines.map(({ text }: { text: string }) => text));

function receive(...args: Parameters<typeof startHttpReceiver>) {
  const receiver = startHttpReceiver(...args);
  ends.push(() => receiver.stop());
  return receiver;
}

test("lines go as they come; what was refused for a while is sent again, in order, and each once", async () => {
  let refusals = 2;
  const receiver = receive(() => new Response("", { status: refusals-- > 0 ? 503 : 204 }));
  const { buffer, told, write } = await makeDrain("http", { url: receiver.url });
  await write("one", "two");
  await until(() => buffer.counts().sent === 2, { everyMs: 5 });
  await write("three");
  await until(() => told.length === 4, { everyMs: 5 });
  expect(textsOf(receiver)).toEqual(["one", "two", "three"]);
  expect(told).toEqual([...Array(2).fill("It has trouble of its own (503)."), "taken", "taken"]);
});

test("a receiver that asks to wait is left alone for so long", async () => {
  const at: number[] = [];
  const receiver = receive(() => {
    at.push(performance.now());
    return new Response("", at.length === 1 ? { status: 429, headers: { "retry-after": "20" } } : {});
  });
  const { buffer, drain, write } = await makeDrain("http", { url: receiver.url });
  await write("one");
  await until(() => at.length === 1, { everyMs: 5 });
  for (let index = 0; index < 5; index++) drain.wake();
  await until(() => buffer.counts().sent === 1, { everyMs: 5 });
  expect(at).toHaveLength(2);
  // Twenty seconds by the quick clock.
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(990);
});

test("lines that a receiver refuses for good are given up and counted, and do not hold up those behind them", async () => {
  const receiver = receive(({ json }) => {
    const isBad = json.lines.some(({ text }: { text: string }) => text === "bad");
    return new Response("", { status: isBad ? 400 : 200 });
  });
  const { buffer, write } = await makeDrain("http", { url: receiver.url });
  await write("bad");
  await until(() => buffer.counts().dropped === 1, { everyMs: 5 });
  await write("good");
  await until(() => buffer.counts().sent === 1, { everyMs: 5 });
  expect(textsOf(receiver)).toEqual(["good"]);
});

test("a line that is refused takes none of its neighbours with it", async () => {
  const receiver = receive(({ json }) => {
    const isBad = json.lines.some(({ text }: { text: string }) => text.startsWith("bad"));
    return new Response("", { status: isBad ? 400 : 200 });
  });
  const { buffer, write } = await makeDrain("http", { url: receiver.url });
  const texts = Array.from({ length: 300 }, (_, index) => `${[7, 150, 299].includes(index) ? "bad" : "good"} ${index}`);
  await write(...texts);
  await until(() => buffer.counts().waiting === 0, { everyMs: 5 });
  expect(buffer.counts()).toMatchObject({ sent: 297, dropped: 3 });
  expect(textsOf(receiver)).toEqual(texts.filter((text) => text.startsWith("good")));
});

test("a receiver that refuses everything is not sent each line by itself", async () => {
  let sends = 0;
  const receiver = receive(() => {
    sends += 1;
    return new Response("", { status: 422 });
  });
  const { buffer, write } = await makeDrain("http", { url: receiver.url });
  await write(...Array.from({ length: 900 }, (_, index) => `line ${index}`));
  await until(() => buffer.counts().waiting === 0, { everyMs: 5 });
  expect(buffer.counts()).toMatchObject({ sent: 0, dropped: 900 });
  expect(sends).toBeLessThan(70);
});

test("a receiver that wants less at a time gets less, and all of it", async () => {
  const receiver = receive(({ json }) => new Response("", { status: json.lines.length > 3 ? 413 : 200 }));
  const { buffer, write } = await makeDrain("http", { url: receiver.url });
  const texts = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  await write(...texts);
  await until(() => buffer.counts().sent === 40, { everyMs: 5 });
  expect(textsOf(receiver)).toEqual(texts);
  expect(buffer.counts().dropped).toBe(0);
});

test("a connection that ends before its lines count takes none with it: they come again", async () => {
  const receiver = await startSyslogReceiver("tcp");
  let cuts = 0;
  receiver.onConnection = (socket) => {
    // The first connection ends with everything that was sent over it.
    if (cuts++ === 0) socket.once("data", () => socket.destroy());
  };
  ends.push(() => receiver.close());
  const { buffer, told, write } = await makeDrain("syslog", {
    host: "127.0.0.1",
    port: receiver.port,
    transport: "tcp",
  });
  const texts = Array.from({ length: 500 }, (_, index) => `line ${index}`);
  await write(...texts);
  await until(() => buffer.counts().sent === 500, { everyMs: 5 });
  const got = new Set(receiver.got.map((message) => message.split(" - - - ")[1] ?? ""));
  expect(texts.filter((text) => !got.has(text))).toEqual([]);
  expect(cuts).toBe(2);
  await until(() => told.at(-1) === "taken", { everyMs: 5 });
});

test("nobody there, then there: it is said in words, and nothing is lost", async () => {
  const first = await startSyslogReceiver("tcp");
  const { port } = first;
  await first.close();
  const { buffer, told, write } = await makeDrain("syslog", { host: "127.0.0.1", port, transport: "tcp" });
  await write("one", "two");
  await until(() => told.length > 1, { everyMs: 5 });
  expect(told[0]).toContain("nothing listens on that port");
  expect(buffer.counts()).toMatchObject({ waiting: 2, sent: 0 });
  const second = await startSyslogReceiver("tcp", port);
  ends.push(() => second.close());
  await until(() => buffer.counts().sent === 2, { everyMs: 5 });
  expect(second.got.map((message) => message.slice(-3))).toEqual(["one", "two"]);
});

test("a receiver that takes nothing more is given up after a while, and gets all that did not count yet once it reads again", async () => {
  const receiver = await startSyslogReceiver("tcp");
  let isSlow = true;
  receiver.onConnection = (socket) => {
    if (isSlow) socket.pause();
  };
  ends.push(() => receiver.close());
  const { buffer, told, write } = await makeDrain("syslog", {
    host: "127.0.0.1",
    port: receiver.port,
    transport: "tcp",
  });
  const texts = Array.from({ length: 2_000 }, (_, index) => `line ${index} ${"x".repeat(8_000)}`);
  for (let start = 0; start < texts.length; start += 100) await write(...texts.slice(start, start + 100));
  await until(() => told.some((words) => words.includes("has taken nothing for 20 seconds")), { everyMs: 5 });
  // What a hung receiver's machine has taken counts: TCP has no answer that says more.
  const { sent } = buffer.counts();
  expect(sent).toBeLessThan(1_000);
  isSlow = false;
  receiver.cut();
  await until(() => buffer.counts().sent === 2_000, { everyMs: 5 });
  const got = new Set(receiver.got.map((message) => Number(/line (\d+)/.exec(message)?.[1])));
  expect(texts.slice(sent).filter((_, index) => !got.has(sent + index))).toEqual([]);
});

test("fifty thousand lines go through, in order; what is in memory at a time is bounded, however much waits on disk", async () => {
  const receiver = await startSyslogReceiver("tcp");
  ends.push(() => receiver.close());
  const { buffer, inHand, write } = await makeDrain("syslog", {
    host: "127.0.0.1",
    port: receiver.port,
    transport: "tcp",
  });
  for (let start = 0; start < 50_000; start += 500) {
    await write(...Array.from({ length: 500 }, (_, index) => `${start + index} ${"x".repeat(100)}`));
  }
  await until(() => buffer.counts().sent === 50_000, { everyMs: 5 });
  const numbers = receiver.got.map((message) => Number.parseInt(message.split(" - - - ")[1] ?? "", 10));
  expect(numbers).toEqual(Array.from({ length: 50_000 }, (_, index) => index));
  expect(inHand.most).toBeLessThanOrEqual(262_144);
  expect(inHand.sends).toBe(1);
  expect(buffer.counts()).toMatchObject({ waiting: 0, waiting_bytes: 0 });
});

test("pauses grow up to five minutes, differ by chance, and are never shorter than what was asked for", () => {
  const steady = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((failures) => pauseAfter(failures, null, () => 0) / 1_000);
  expect(steady).toEqual([1, 2, 5, 10, 30, 60, 120, 300, 300]);
  expect(pauseAfter(1, null, () => 1)).toBe(1_250);
  expect(pauseAfter(1, 90_000, () => 0)).toBe(90_000);
});
