import { afterEach, expect, test } from "bun:test";
import { at, createLogWorld } from "../../../../tests/kit/log-world.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import type { LineBatch, LogLine, StreamQuery } from "./contract.ts";
import { createReaderPlaces } from "./reader-places.ts";
import { createBacklog, createChooser, streamLines } from "./stream-lines.ts";

let stop = new AbortController();
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});

const line = (text: string): LogLine => ({ from: "docker:web", at: at(1), source: "stdout", level: null, text });

function open(world: ReturnType<typeof createLogWorld>, query: StreamQuery, after: string | null) {
  const options = { query, after, isChosen: createChooser(query, after), onEnd: () => {} };
  return streamLines(world.own, options, stop.signal)[Symbol.asyncIterator]();
}

const textsOf = (data: unknown): string[] => (data as LineBatch).lines.map(({ text }) => text);

test("lines come in batches, from behind the one that is known, with the place to go on from", async () => {
  const world = createLogWorld(stop.signal);
  world.write("web", [1, "known"], [2, "INFO a"], [3, "WARN b"]);
  const { value } = await open(world, { source: "docker:web" }, at(1)).next();
  expect(value).toMatchObject({ event: "lines", id: at(3), data: { dropped: 0 } });
  expect(textsOf(value.data)).toEqual(["INFO a", "WARN b"]);
});

test("only what fits comes", async () => {
  const world = createLogWorld(stop.signal);
  world.write("web", [2, "INFO took 12ms"], [3, "WARN took 900ms"], [4, "WARN late"]);
  const query: StreamQuery = { source: "docker:web", level: "warn", q: "took \\d{3}", regex: true };
  const { value } = await open(world, query, at(1)).next();
  expect(textsOf(value.data)).toEqual(["WARN took 900ms"]);
});

test("what a slow reader leaves waiting is bounded, and what is left out is said once", () => {
  const backlog = createBacklog();
  for (let index = 0; index < 6000; index += 1) backlog.push(line(`${index}`));
  expect(backlog.count()).toBe(5000);
  const first = backlog.take();
  expect([first.dropped, first.lines.length, first.lines[0]?.text]).toEqual([1000, 1000, "1000"]);
  expect(backlog.take().dropped).toBe(0);
  const long = createBacklog();
  for (let index = 0; index < 5000; index += 1) long.push(line("x".repeat(4096)));
  expect(long.count() * 4096).toBeLessThanOrEqual(1_048_576);
});

test("an account and all together have so many places, which come back", () => {
  const places = createReaderPlaces();
  const given = Array.from({ length: 4 }, () => places.take("ada"));
  expect(() => places.take("ada")).toThrow("4 times by your account");
  for (const name of ["b", "c", "d"]) for (let count = 0; count < 4; count += 1) places.take(name);
  expect(() => places.take("e")).toThrow("16 times by all accounts");
  given[0]?.();
  given[0]?.();
  places.take("e");
  expect(() => places.take("f")).toThrow("16 times");
});

test("a stream that is left gives its place back", async () => {
  const node = createTestNode();
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  for (let round = 0; round < 12; round += 1) {
    const left = new AbortController();
    const request = new Request("http://localhost/api/logs/stream?source=docker:web", { headers, signal: left.signal });
    const response = await node.fetch(request);
    expect(response.status).toBe(200);
    await response.body?.cancel();
    left.abort();
  }
  const refused = await node.call("GET /api/logs/stream?q=(a&regex=true", { as: "admin" });
  expect([refused.status, refused.body.code]).toEqual([400, "log_pattern_refused"]);
  await node.close();
});

test("who has left before the stream began takes no place", async () => {
  const node = createTestNode();
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  for (let round = 0; round < 6; round += 1) {
    const signal = AbortSignal.abort();
    await node.fetch(new Request("http://localhost/api/logs/stream?source=docker:web", { headers, signal }));
  }
  const response = await node.fetch(new Request("http://localhost/api/logs/stream?source=docker:web", { headers }));
  expect(response.status).toBe(200);
  await response.body?.cancel();
  await node.close();
});
