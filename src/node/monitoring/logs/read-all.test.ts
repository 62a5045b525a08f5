import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLogWorld } from "../../../../tests/kit/log-world.ts";
import { runs } from "../../../../tests/kit/runs.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { createMatcher, detectLevel, toLineFilter } from "../../apps/app-logs/index.ts";
import { readContainerLog } from "./container-log.ts";
import { type AllQuery, fail } from "./contract.ts";
import { readJournal } from "./journal.ts";
import { type Readers, readAll } from "./read-all.ts";
import { readSystemLog } from "./system-log.ts";

const stop = new AbortController();
const folder = makeScratch("read-all");
mkdirSync(folder, { recursive: true });
afterAll(() => stop.abort());

/** Reads the logs of a world as the routes do. */
function readerOf({ own }: ReturnType<typeof createLogWorld>) {
  const journal = (filter: Parameters<Readers["system"]>[0], unit: string | null) =>
    readJournal({ run: own.system.run, signal: stop.signal }, filter, unit === null ? [] : [unit]);
  const readers: Readers = {
    system: (filter, unit) =>
      unit === null
        ? readSystemLog(
            { journal: () => journal(filter, null), files: own.system.files, now: Date.UTC(2026, 0, 2) },
            filter,
          )
        : journal(filter, unit),
    container: (name, filter) => readContainerLog(own, name, filter, stop.signal),
  };
  return (query: AllQuery) => readAll(own, readers, query);
}

function createWorld() {
  const syslog = join(folder, "syslog");
  writeFileSync(
    syslog,
    [
      "2026-01-01T00:00:02Z atlas sshd[1]: accepted",
      "  no time of its own",
      "2026-01-01T00:00:05Z atlas cron[1]: ran",
      "",
    ].join("\n"),
  );
  const world = createLogWorld(stop.signal, [syslog]);
  world.write("db", [1, "INFO ready"], [3, "ERROR no space"], [4, "INFO again"]);
  world.write("web", [1, "GET /"], [3, "GET /x 500"], [6, "GET /y 200"]);
  return world;
}

const textsOf = ({ found }: { found: { line: { from: string; text: string } }[] }) =>
  found.map(({ line }) => `${line.from} ${line.text}`);

test("all logs are one, in the order of time", async () => {
  const page = await readerOf(createWorld())({});
  expect(textsOf(page)).toEqual([
    "docker:db INFO ready",
    "docker:web GET /",
    "system accepted",
    "system   no time of its own",
    "docker:db ERROR no space",
    "docker:web GET /x 500",
    "docker:db INFO again",
    "system ran",
    "docker:web GET /y 200",
  ]);
  expect(page.next_cursor).toBeNull();
  expect(page.sources.map(({ source, is_readable }) => [source, is_readable])).toEqual([
    ["system", true],
    ["docker:db", true],
    ["docker:web", true],
  ]);
});

test.each([1, 2, 3, 4, 5, 8])("pages of %p show every line once", async (limit) => {
  const read = readerOf(createWorld());
  const all = textsOf(await read({}));
  const seen: string[] = [];
  let cursor: string | null | undefined;
  for (let round = 0; cursor !== null && round < 20; round += 1) {
    const page = await read({ limit, ...(cursor === undefined ? {} : { cursor }) });
    seen.unshift(...textsOf(page));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(all);
});

test("more lines of one moment than a page has are all shown", async () => {
  const world = createLogWorld(stop.signal);
  world.write("web", ...Array.from({ length: 40 }, (_, index): [number, string] => [7, `line ${index}`]));
  const read = readerOf(world);
  const seen: string[] = [];
  let cursor: string | null | undefined;
  for (let round = 0; cursor !== null && round < 20; round += 1) {
    const page = await read({ limit: 7, source: "docker:web", ...(cursor === undefined ? {} : { cursor }) });
    seen.unshift(...textsOf(page));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => `docker:web line ${index}`));
});

test("a burst of more lines within a millisecond than a page has is shown to its beginning", async () => {
  const world = createLogWorld(stop.signal);
  world.write(
    "web",
    ...Array.from({ length: 900 }, (_, index): [number, string] => [7 + index / 1e9, `line ${index}`]),
  );
  const read = readerOf(world);
  const first = await read({ limit: 100, source: "docker:web" });
  world.write(
    "web",
    ...Array.from({ length: 900 }, (_, no): [number, string] => [7 + (900 + no) / 1e9, `later ${no}`]),
  );
  const older = await read({ limit: 1000, source: "docker:web", cursor: first.next_cursor ?? "" });
  expect(textsOf(older)).toEqual(Array.from({ length: 800 }, (_, index) => `docker:web line ${index}`));
  expect(older.next_cursor).toBeNull();
});

test("what stands after a line is read from there on, and no further than it is wanted", async () => {
  const world = createLogWorld(stop.signal);
  world.write("db", [1, "before"], [7 + 1 / 1e9, "same millisecond"], [9, "later"]);
  world.write("web", ...Array.from({ length: 900 }, (_, no): [number, string] => [8 + no / 1e9, `line ${no}`]));
  const read = readerOf(world);
  const page = await read({ after: "2026-01-01T00:00:07.000000000Z", limit: 3, source: "docker:db,docker:web" });
  expect(textsOf(page)).toEqual(["docker:db same millisecond", "docker:web line 0", "docker:web line 1"]);
  expect(page.next_cursor).toBeNull();
  expect(world.given()).toBeLessThan(10);
  const near = await read({ after: "2026-01-01T00:00:08.000000001Z", q: "LINE", context: 1, limit: 1 });
  expect(near.found.map(({ before, line, after }) => [...before, line, ...after].map(({ text }) => text))).toEqual([
    ["line 1", "line 2", "line 3"],
  ]);
  expect(textsOf(await read({ after: "0001-01-01T00:00:00Z", limit: 1, source: "docker:db" }))).toEqual([
    "docker:db before",
  ]);
  const both = read({ after: "2026-01-01T00:00:07Z", cursor: "2026-01-01T00:00:07Z_1" });
  expect(both).rejects.toMatchObject({ code: "invalid_request" });
});

test("filters hold for each log", async () => {
  const read = readerOf(createWorld());
  const find = async (query: AllQuery) => textsOf(await read(query));
  expect(await find({ level: "error" })).toEqual(["docker:db ERROR no space"]);
  expect(await find({ q: "get /[xy] \\d+", regex: true })).toEqual(["docker:web GET /x 500", "docker:web GET /y 200"]);
  expect(await find({ q: "/[xy]" })).toEqual([]);
  expect(await find({ since: "2026-01-01T00:00:05Z" })).toEqual(["system ran", "docker:web GET /y 200"]);
  expect(await find({ until: "2026-01-01T00:00:01Z" })).toEqual(["docker:db INFO ready", "docker:web GET /"]);
  expect(await find({ source: "docker:web,system", limit: 2 })).toEqual(["system ran", "docker:web GET /y 200"]);
});

test("neighbours of a hit are of its own log", async () => {
  const { found } = await readerOf(createWorld())({ q: "ERROR", context: 1 });
  expect(
    found.map(({ before, line, after }) => [before, [line], after].map((part) => part.map(({ text }) => text))),
  ).toEqual([[["INFO ready"], ["ERROR no space"], ["INFO again"]]]);
});

test("a log that cannot be read is said, and the others are shown", async () => {
  const world = createLogWorld(stop.signal);
  world.write("web", [1, "a"]);
  const page = await readerOf(world)({ source: "system,docker:gone,docker:web" });
  expect(textsOf(page)).toEqual(["docker:web a"]);
  expect(page.sources).toEqual([
    { source: "system", is_readable: false, note: expect.stringContaining("no journalctl") },
    { source: "docker:gone", is_readable: false, note: expect.stringContaining("no container gone") },
    { source: "docker:web", is_readable: true, note: null },
  ]);
});

test("without an engine the containers are missing, which is said", async () => {
  const world = createWorld();
  const requireEngine = () => {
    throw new Error("Docker does not run. Start it.");
  };
  const page = await readerOf({ ...world, own: { ...world.own, runtime: { ...world.own.runtime, requireEngine } } })(
    {},
  );
  expect(page.sources[0]).toEqual({ source: "docker", is_readable: false, note: "Docker does not run. Start it." });
  expect(textsOf(page)).toHaveLength(3);
});

test("what is no pattern and no place is refused", () => {
  const read = readerOf(createWorld());
  expect(read({ q: "(a", regex: true })).rejects.toMatchObject({ code: "log_pattern_refused" });
  expect(read({ cursor: "tomorrow" })).rejects.toMatchObject({ code: "log_cursor_refused" });
});

test("an answer is bounded in its text, and the rest is on the next page", async () => {
  const world = createLogWorld(stop.signal);
  world.write("web", ...Array.from({ length: 1500 }, (_, index): [number, string] => [index, "x".repeat(9000)]));
  const page = await readerOf(world)({ source: "docker:web", limit: 1000 });
  expect(Math.max(...page.found.map(({ line }) => line.text.length))).toBeLessThanOrEqual(4096);
  expect(world.given()).toBe(1000);
  const long = await readerOf(world)({ source: "docker:web", limit: 1000, q: "x", context: 10 });
  expect(JSON.stringify(long).length).toBeLessThan(4_800_000);
  expect(long.next_cursor).not.toBeNull();
});

/** Filters of all kinds, the same in each run. */
function* makeFilters(rounds: number): Iterable<AllQuery> {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const pick = <Item>(...items: Item[]): Item | undefined => items[next(items.length)];
  const text = () => Array.from({ length: 1 + next(12) }, () => String.fromCharCode(32 + next(95))).join("");
  for (let round = 0; round < rounds; round += 1) {
    const query = {
      source: pick("system", "docker:web", "docker:gone,docker:db", "docker:db"),
      q: pick(undefined, text(), "(a+)+$", `${text()}|${text()}`),
      regex: pick(true, false),
      level: pick<AllQuery["level"]>(undefined, "warn", "error"),
      since: pick(undefined, "2026-01-01", "0001-01-01", "9999-12-31T23:59:59.999999999Z"),
      context: next(11),
      limit: 1 + next(1000),
      cursor: pick(undefined, undefined, "2026-01-01T00:00:03.000000000Z_1", "9999-12-31T23:59:59Z_99999", text()),
    };
    yield Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  }
}

/** Lets pass what a caller is told; anything else is a fault. */
function expectRefusal(query: AllQuery, error: unknown): void {
  if (!(error instanceof AppError) || error.status >= 500) throw new Error(`${JSON.stringify(query)}: ${error}`);
}

test("filters of all kinds neither hang nor break", () => {
  const texts = ["a".repeat(24), 'ERROR {"level":50} took 12ms ü ]['];
  for (const query of makeFilters(runs(10_000))) {
    try {
      const isWanted = createMatcher(toLineFilter(query));
      for (const text of texts) isWanted({ at: "2026-01-01T00:00:00Z", level: detectLevel(text), text });
    } catch (error) {
      expectRefusal(query, error);
    }
  }
}, 60_000);

test("nor do they in what reads the logs", async () => {
  const read = readerOf(createWorld());
  for (const query of makeFilters(runs(1000))) await read(query).catch((error: unknown) => expectRefusal(query, error));
});

test("codes have the status that callers may rely on", () => {
  expect([fail("log_cursor_refused").status, fail("log_readers_full").status]).toEqual([400, 429]);
});

test("what is written while the logs are read is left to who follows them from the last line", async () => {
  const world = createWorld();
  const started = Date.UTC(2026, 0, 1, 0, 0, 4);
  const own = { ...world.own, clock: { ...world.own.clock, now: () => started } };
  const readers: Readers = {
    system: async () => ({ from: "system", hits: [], note: null }),
    container: (name, filter) => readContainerLog(own, name, filter, stop.signal),
  };
  const { found } = await readAll(own, readers, {});
  expect(found.at(-1)?.line).toMatchObject({ from: "docker:db", text: "INFO again" });
});
