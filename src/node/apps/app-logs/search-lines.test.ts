import { afterAll, expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";
import type { LogLine } from "./contract.ts";
import { toLineFilter } from "./filter.ts";
import { findHits, searchLines } from "./search-lines.ts";

const node = createTestNode();
afterAll(() => node.close());

async function* written(texts: string[], service = "web"): AsyncIterable<LogLine> {
  for (const [index, text] of texts.entries()) {
    const level = text.startsWith("ERROR") ? "error" : "info";
    yield { at: `2026-01-01T00:00:0${index}.000000000Z`, service, stream: "stdout", level, text };
  }
}

const search = (query: object, context = 0, limit = 100) => ({ filter: toLineFilter(query), context, limit });
const texts = (lines: LogLine[]): string[] => lines.map(({ text }) => text);

test("hits come with the lines around them, also where these are hits themselves", async () => {
  const { hits, searched } = await findHits(written(["a", "ERROR b", "ERROR c", "d", "e"]), search({ q: "error" }, 2));
  expect(searched).toBe(5);
  expect(hits.map(({ line, before, after }) => [texts(before), line.text, texts(after)])).toEqual([
    [["a"], "ERROR b", ["ERROR c", "d"]],
    [["a", "ERROR b"], "ERROR c", ["d", "e"]],
  ]);
});

test("level and range narrow it, and the newest hits are kept", async () => {
  const find = async (query: object, limit?: number) =>
    texts(
      (await findHits(written(["x1", "ERROR x2", "x3", "ERROR x4"]), search(query, 0, limit))).hits.map(
        ({ line }) => line,
      ),
    );
  expect(await find({ q: "X", level: "warn" })).toEqual(["ERROR x2", "ERROR x4"]);
  expect(await find({ q: "x", since: "2026-01-01T00:00:02Z" })).toEqual(["x3", "ERROR x4"]);
  expect(await find({ q: "x", until: "2026-01-01T00:00:00Z" })).toEqual(["x1"]);
  expect(await find({ q: "x" }, 1)).toEqual(["ERROR x4"]);
  expect(await find({ q: ".*" })).toEqual([]);
});

test("of a line that is too long the part with the hit is shown", async () => {
  const long = `${"a".repeat(9000)}needle${"b".repeat(9000)}`;
  const { hits } = await findHits(written([long, "needle"]), search({ q: "NEEDLE" }, 1));
  const [first, second] = hits;
  expect(first?.line.text).toContain("needle");
  expect(first?.line.text.length).toBeLessThan(4200);
  expect(second?.before[0]?.text.length).toBeLessThan(4200);
  expect(second?.line.text).toBe("needle");
});

test("all services of an app are searched, their hits in order of time", async () => {
  const deps = {
    apps: {
      get: () => null as never,
      listServices: () =>
        [
          { name: "web", container_id: "c-web" },
          { name: "db", container_id: "c-db" },
          { name: "idle", container_id: null },
        ] as never,
    },
    runtime: {
      engine: () => null,
      requireEngine: () =>
        ({ readLogs: async (id: string) => written(id === "c-web" ? ["hit 1", "no"] : ["no", "hit 2"]) }) as never,
    },
  };
  const signal = new AbortController().signal;
  const page = await searchLines(deps, "app_1", { ...search({ q: "hit" }), service: undefined }, signal);
  expect(page.hits.map(({ line }) => [line.service, line.text])).toEqual([
    ["web", "hit 1"],
    ["db", "hit 2"],
  ]);
  expect([page.searched, page.is_complete]).toEqual([4, true]);
});

test("only admins search, in an app that is there", async () => {
  const route = "GET /api/apps/app_none/logs/search";
  expect((await node.call(`${route}?q=x`)).status).toBe(401);
  expect((await node.call(`${route}?q=x`, { as: "viewer" })).status).toBe(403);
  expect((await node.call(`${route}?q=x`, { as: "member" })).status).toBe(403);
  for (const query of ["?q=", "?level=loud", "?q=x&context=11", "?q=x&limit=201", "?q=x&since=soon"])
    expect([query, (await node.call(route + query, { as: "admin" })).status]).toEqual([query, 400]);
  const { status, body } = await node.call(`${route}?q=x`, { as: "admin" });
  expect([status, body.code]).toEqual([404, "app_not_found"]);
});

test("a search lets others go first between its lines", async () => {
  const random = seeded(3);
  const line = Array.from({ length: 4000 }, () => (random() < 0.5 ? "a" : "b")).join("");
  let searched = 0;
  function* lines() {
    for (; searched < 40; searched += 1) yield { at: null, level: null, text: line };
  }
  const over = findHits(lines(), search({ q: "a[ab]{300}c", regex: true }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(searched).toBeLessThan(40);
  expect((await over).searched).toBe(40);
});
