import { afterEach, expect, test } from "bun:test";
import { createLogWorld } from "../../../../../tests/kit/log-world.ts";
import { createTestLog } from "../../../../../tests/kit/test-log.ts";
import { kernelFail } from "../../../../kernel/http/errors.ts";
import type { LogStreamBatch, LogStreamLine } from "../../../../shared/agent-protocol/index.ts";
import { createReaders } from "../../../monitoring/logs/readers.ts";
import { tail } from "../../../monitoring/logs/tail.ts";
import { createAsks } from "./asks.ts";
import { serveLogs } from "./serve-logs.ts";

let stop = new AbortController();
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});

const ASKED = {
  source: "app",
  units: [],
  app: "blog",
  level: null,
  since: null,
  within_ms: null,
  lines: 200,
  follow: false,
  grep: null,
};

/** A node with one app of two services, and a container that is no app. */
function begin() {
  const world = createLogWorld(stop.signal);
  world.write("blog-db", [1, "ready"], [3, "checkpoint"]);
  world.write("blog-web", [2, "ERROR upstream"]);
  world.write("other", [1, "foreign words"]);
  const journal: string[][] = [];
  world.own.system.run = async (argv) => {
    journal.push([...argv]);
    const entry = {
      __REALTIME_TIMESTAMP: "1767225600000000",
      MESSAGE: "hello",
      PRIORITY: "6",
      _SYSTEMD_UNIT: "ssh.service",
    };
    return { code: 0, signal: null, stdout: `${JSON.stringify(entry)}\n`, stderr: "", cut: [] };
  };
  const readers = createReaders(world.own);
  const { log, lines } = createTestLog();
  const service = (name: string, container_id: string | null) => ({ name, container_id }) as never;
  const serve = serveLogs({
    clock: world.own.clock,
    asks: createAsks(world.own.clock),
    log,
    logs: {
      tail: (query, left) => tail(world.own, readers, query, left),
      containerNames: async () => new Map((await world.own.containers.list()).map(({ id, name }) => [id, name])),
    },
    apps: {
      names: () => [{ id: "app_1", name: "blog" }],
      get(id: string) {
        if (id !== "app_1") throw kernelFail("not_found");
        return { id } as never;
      },
      listServices: () => [service("db", "blog-db"), service("web", "blog-web"), service("worker", null)],
      listFacts: () => [],
      startApp: () => Promise.reject(),
      stopApp: () => Promise.reject(),
      restartApp: () => Promise.reject(),
    } as never,
  });
  async function ask(params: Record<string, unknown>): Promise<LogStreamLine[]> {
    const found: LogStreamLine[] = [];
    const send = async (data: unknown) => void found.push(...(data as LogStreamBatch).lines);
    const input = (async function* () {})();
    await serve({ params: { ...ASKED, ...params }, signal: stop.signal, input, send });
    return found;
  }
  return { ask, journal, lines };
}

test("an app is the logs of its services, by its name or its id, and of nobody else", async () => {
  const { ask } = begin();
  const lines = await ask({});
  expect(lines).toEqual([
    { ts: "2026-01-01T00:00:01.000000000Z", level: null, source: "db", message: "ready" },
    { ts: "2026-01-01T00:00:02.000000000Z", level: "error", source: "web", message: "ERROR upstream" },
    { ts: "2026-01-01T00:00:03.000000000Z", level: null, source: "db", message: "checkpoint" },
  ]);
  expect(await ask({ app: "app_1" })).toEqual(lines);
  expect(await ask({ level: "warn", grep: "up.*m" })).toHaveLength(1);
  expect(ask({ app: "other" })).rejects.toMatchObject({ code: "not_found" });
  expect(ask({ app: null })).rejects.toMatchObject({ code: "not_found" });
});

test("the journal is asked for the units by their whole names", async () => {
  const { ask, journal } = begin();
  expect(await ask({ source: "journal", units: ["ssh", "cron.timer"], level: "info", lines: 7 })).toEqual([
    { ts: "2026-01-01T00:00:00.000000Z", level: "info", source: "ssh.service", message: "hello" },
  ]);
  expect(journal[0]).toEqual(expect.arrayContaining(["--unit=ssh.service", "--unit=cron.timer", "--lines=7"]));
});

test.each([
  ["a unit that is an option", { source: "journal", units: ["--vacuum-time=1s"] }],
  ["more lines than there may be", { lines: 5_001 }],
  ["a source that is none", { source: "files" }],
])("%s is refused", async (_, params) => {
  const { ask, journal } = begin();
  expect(ask(params)).rejects.toMatchObject({ code: "invalid_request" });
  expect(journal).toEqual([]);
});

test("a pattern that is none is refused, and what breaks inside is in the node's own log", async () => {
  const { ask, lines } = begin();
  expect(ask({ grep: "(" })).rejects.toMatchObject({ code: "log_pattern_refused" });
  expect(lines).toEqual([]);
});

test("a panel that begins without end is told to wait, and nothing is read for it", async () => {
  const { ask, journal } = begin();
  const one = () =>
    ask({ source: "journal", units: ["ssh"] }).then(
      () => "read",
      ({ code }: { code: string }) => code,
    );
  const ends = await Promise.all(Array.from({ length: 40 }, one));
  expect(ends.filter((end) => end === "too_many_requests")).toHaveLength(8);
  expect(journal).toHaveLength(32);
});
