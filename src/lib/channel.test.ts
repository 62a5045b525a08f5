import { expect, test } from "bun:test";
import { createChannel } from "./channel.ts";

async function drain<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

test("what was pushed before and during reading arrives in order, then the iteration ends", async () => {
  const channel = createChannel<number>(10);
  channel.push(1);
  channel.push(2);
  const seen = drain(channel);
  await Promise.resolve();
  channel.push(3);
  channel.close();
  channel.push(4);
  expect(await seen).toEqual([1, 2, 3]);
});

test("a full channel forgets the oldest items", async () => {
  const channel = createChannel<number>(3);
  for (let item = 1; item <= 5; item++) channel.push(item);
  channel.close();
  expect(await drain(channel)).toEqual([3, 4, 5]);
});

test("where items cost, no more wait than there is room for, the newest in any case", async () => {
  const channel = createChannel<string>(100, undefined, { of: (text) => text.length, most: 5 });
  const reader = channel[Symbol.asyncIterator]();
  for (const text of ["aaa", "bb", "c"]) channel.push(text);
  expect((await reader.next()).value).toBe("bb");
  channel.push("dddd");
  expect((await reader.next()).value).toBe("c");
  channel.push("too long");
  channel.close();
  expect([(await reader.next()).value, (await reader.next()).done]).toEqual(["too long", true]);
});

test("a waiting reader wakes for an item, for close and for abort", async () => {
  const abort = new AbortController();
  const channel = createChannel<string>(3, abort.signal);
  const reader = channel[Symbol.asyncIterator]();
  const first = reader.next();
  channel.push("a");
  expect(await first).toEqual({ done: false, value: "a" });
  const second = reader.next();
  abort.abort();
  expect(await second).toEqual({ done: true, value: undefined });
});

test("an abort drops what still waits; an aborted signal gives an empty channel", async () => {
  const abort = new AbortController();
  const channel = createChannel<number>(3, abort.signal);
  channel.push(1);
  abort.abort();
  expect(await drain(channel)).toEqual([]);
  const dead = createChannel<number>(3, AbortSignal.abort());
  dead.push(1);
  expect(await drain(dead)).toEqual([]);
});

test("undefined is an item like any other", async () => {
  const channel = createChannel<number | undefined>(3);
  channel.push(undefined);
  channel.push(1);
  channel.close();
  expect(await drain(channel)).toEqual([undefined, 1]);
});

test("closing lets go of a long-lived signal", () => {
  const abort = new AbortController();
  let listeners = 0;
  const { signal } = abort;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners += 1;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...given);
  };
  createChannel<number>(3, signal).close();
  expect(listeners).toBe(0);
});
