import { afterEach, expect, test } from "bun:test";
import { createLogWorld } from "../../../../tests/kit/log-world.ts";
import { until } from "../../../../tests/kit/until.ts";
import { createReaders } from "./readers.ts";
import { type TailQuery, tail } from "./tail.ts";

let stop = new AbortController();
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});

const PLAIN: TailQuery = {
  sources: ["docker:web"],
  units: [],
  lines: 200,
  level: null,
  pattern: null,
  since: null,
  isFollowed: false,
};
/** Later than what `write` says in these tests: what is written from now on. */
const YEARS_LATER = 60 * 60 * 24 * 365 * 100;

function begin() {
  const world = createLogWorld(stop.signal);
  const readers = createReaders(world.own);
  const read = (query: Partial<TailQuery>, left = stop.signal) =>
    tail(world.own, readers, { ...PLAIN, ...query }, left);
  return { world, read };
}

async function textsOf(batches: AsyncIterable<{ text: string }[]>, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const texts: string[] = [];
  for await (const batch of batches) {
    texts.push(...batch.map(({ text }) => text));
    if (texts.length >= most) break;
  }
  return texts;
}

test("the newest lines that fit come first, those of all logs in the order of time, then it ends", async () => {
  const { world, read } = begin();
  world.write("web", [1, "INFO one"], [3, "ERROR three"], [5, "INFO five"]);
  world.write("db", [2, "INFO two"], [4, "WARN four"]);
  const both = { sources: ["docker:web", "docker:db"] };
  expect(await textsOf(read(both))).toEqual(["INFO one", "INFO two", "ERROR three", "WARN four", "INFO five"]);
  expect(await textsOf(read({ ...both, lines: 2 }))).toEqual(["WARN four", "INFO five"]);
  expect(await textsOf(read({ ...both, level: "warn" }))).toEqual(["ERROR three", "WARN four"]);
  expect(await textsOf(read({ ...both, pattern: "t(wo|hree)" }))).toEqual(["INFO two", "ERROR three"]);
  expect(await textsOf(read({ ...both, since: "2026-01-01T00:00:04Z" }))).toEqual(["WARN four", "INFO five"]);
});

test("without lines of before, only what is written from then on comes", async () => {
  const { world, read } = begin();
  world.write("web", [1, "one"]);
  expect(await textsOf(read({ lines: 0 }))).toEqual([]);
  const followed = textsOf(read({ lines: 0, isFollowed: true }), 1);
  world.write("web", [YEARS_LATER, "two"]);
  expect(await followed).toEqual(["two"]);
});

test("no log is every log's worst reading: without a source there is nothing", async () => {
  const { world, read } = begin();
  world.write("web", [1, "one"]);
  expect(await textsOf(read({ sources: [], isFollowed: true }))).toEqual([]);
  expect(world.asked).toEqual([]);
});

test("what is written from then on follows, by the same filters and without what came already", async () => {
  const { world, read } = begin();
  world.write("web", [1, "INFO one"], [2, "ERROR two"]);
  const texts: string[] = [];
  const reading = (async () => {
    for await (const batch of read({ isFollowed: true, level: "error" })) texts.push(...batch.map(({ text }) => text));
  })();
  await until(() => texts.length === 1, { everyMs: 2 });
  world.write("web", [YEARS_LATER, "INFO three"], [YEARS_LATER + 1, "ERROR four"]);
  world.begin("web");
  await until(() => texts.length === 2, { everyMs: 2 });
  expect(texts).toEqual(["ERROR two", "ERROR four"]);
  stop.abort();
  await reading;
});

test("a reader that stops is given no more than a batch in advance", async () => {
  const { world, read } = begin();
  world.write("web", [1, "first"]);
  const reader = read({ isFollowed: true })[Symbol.asyncIterator]();
  expect((await reader.next()).value).toHaveLength(1);
  const given = world.given();
  world.write("web", ...Array.from({ length: 5_000 }, (_, no): [number, string] => [YEARS_LATER + no, `line ${no}`]));
  world.begin("web");
  const next = await reader.next();
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(next.value?.length).toBeGreaterThan(0);
  expect(world.given() - given).toBeLessThan(1_000);
  stop.abort();
});

test("batches stay small whatever the lines are", async () => {
  const { world, read } = begin();
  const wide = "\u0001".repeat(4_000);
  world.write("web", ...Array.from({ length: 50 }, (_, no): [number, string] => [no, wide]));
  for await (const batch of read({ lines: 50 })) expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThan(100_000);
});

test("a pattern that is none is refused", async () => {
  const { read } = begin();
  expect(textsOf(read({ pattern: "(" }))).rejects.toMatchObject({ code: "log_pattern_refused" });
});
