import { afterEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, createLogWorld, turnClock } from "../../../../tests/kit/log-world.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import type { LogLine } from "./contract.ts";
import { type FollowOptions, follow } from "./follow.ts";
import type { Own } from "./needs.ts";

const folder = makeScratch("follow");
mkdirSync(folder, { recursive: true });
let stop = new AbortController();
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});
const createWorld = (files: string[] = []) => createLogWorld(stop.signal, files);

const reader = (own: Own, since: FollowOptions["since"], sources: string[] = []) =>
  follow(own, sources, { since, signal: stop.signal })[Symbol.asyncIterator]();
async function take(lines: AsyncIterator<LogLine>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value } = await lines.next();
    taken.push(`${value.from} ${value.text}`);
  }
  return taken;
}

test("what several logs have comes with the name of each, and of those at hand the earliest first", async () => {
  const world = createWorld();
  world.write("db", [2, "b"], [4, "d"]);
  world.write("web", [1, "a"], [3, "c"]);
  const lines = await take(reader(world.own, at(0)), 4);
  expect(lines.toSorted()).toEqual(["docker:db b", "docker:db d", "docker:web a", "docker:web c"]);
  expect(lines.indexOf("docker:db b")).toBeLessThan(lines.indexOf("docker:db d"));
});

test("a reader that stops reading is given nothing in advance", async () => {
  const world = createWorld();
  world.write("web", ...Array.from({ length: 50 }, (_, index): [number, string] => [index, `${index}`]));
  const lines = reader(world.own, at(0));
  await take(lines, 5);
  for (let turn = 0; turn < 100; turn += 1) await turnClock.sleep();
  expect(world.given()).toBeLessThanOrEqual(6);
});

test("a container is followed through a restart, with every line once, also those of one moment", async () => {
  const world = createWorld();
  world.write("web", [1, "a"], [2, "b"], [2, "c"]);
  const lines = reader(world.own, at(0));
  expect(await take(lines, 3)).toEqual(["docker:web a", "docker:web b", "docker:web c"]);
  world.write("web", [2, "d"], [3, "e"]);
  world.begin("web");
  expect(await take(lines, 2)).toEqual(["docker:web d", "docker:web e"]);
  expect(world.asked).toHaveLength(2);
});

test("a container that comes later is followed from its first line, one that nobody wants is not read", async () => {
  const world = createWorld();
  world.write("web", [1, "a"]);
  const lines = reader(world.own, { "docker:web": at(1) }, ["docker:web", "docker:late"]);
  expect(await take(lines, 1)).toEqual(["docker:web a"]);
  world.write("other", [2, "x"]);
  world.write("late", [2, "b"]);
  world.begin("late", "create");
  expect(await take(lines, 1)).toEqual(["docker:late b"]);
  expect(world.asked).not.toContain("other");
});

test("each source goes on where it was, lines of just that moment included", async () => {
  const world = createWorld();
  world.write("db", [1, "old"], [3, "b"]);
  world.write("web", [1, "old"], [2, "a"]);
  const lines = reader(world.own, { "docker:db": at(3), "docker:web": at(2) });
  expect((await take(lines, 2)).toSorted()).toEqual(["docker:db b", "docker:web a"]);
});

test("without a journal the file of the system is followed, through its rotation", async () => {
  const path = join(folder, "syslog");
  const line = (second: number, text: string) => `2026-01-01T00:00:0${second}Z atlas cron[1]: ${text}\n`;
  writeFileSync(path, line(1, "old") + line(3, "a"));
  const world = createWorld([join(folder, "none"), path]);
  const lines = reader(world.own, at(2), ["system"]);
  expect(await take(lines, 1)).toEqual(["system a"]);
  appendFileSync(path, line(4, "b"));
  expect(await take(lines, 1)).toEqual(["system b"]);
  appendFileSync(path, "2026-01-01T00:00:05Z atlas cron[1]: be");
  for (let turn = 0; turn < 20; turn += 1) await turnClock.sleep();
  appendFileSync(path, "gun\n");
  expect(await take(lines, 1)).toEqual(["system begun"]);
  renameSync(path, `${path}.1`);
  appendFileSync(`${path}.1`, line(6, "last of the old"));
  writeFileSync(path, line(7, "first of the new"));
  expect(await take(lines, 2)).toEqual(["system last of the old", "system first of the new"]);
});

test("a file that opens and cannot be read ends nothing but its own reading", async () => {
  const world = createWorld(["/proc/self/mem"]);
  world.write("web", [1, "a"], [2, "b"]);
  expect(await take(reader(world.own, at(0)), 2)).toEqual(["docker:web a", "docker:web b"]);
  for (let turn = 0; turn < 100; turn += 1) await turnClock.sleep();
});
