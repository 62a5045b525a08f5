import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import type { Runtime } from "../../apps/runtime/index.ts";
import { EngineError } from "../../apps/runtime/index.ts";
import { readContainerLog } from "./container-log.ts";
import { fail } from "./contract.ts";
import { presentPage, toFilter } from "./filter.ts";
import { parseSystemLine } from "./log-file.ts";
import { readSystemLog } from "./system-log.ts";

const node = createTestNode();
const now = Date.parse("2026-01-15T12:00:00Z");
const ended = new AbortController().signal;
const folder = makeScratch("logs");
const syslog = join(folder, "syslog");

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    syslog,
    [
      "2026-01-14T10:00:00.000000+01:00 atlas sshd[12]: Accepted publickey for mara",
      "2026-01-14T11:00:00Z atlas kernel: oom-kill: constraint",
      "no time in this line",
      "",
    ].join("\n"),
  );
});
afterAll(() => node.close());

test("only admins read logs, whatever they ask", async () => {
  for (const path of [
    "/api/logs",
    "/api/logs/stream",
    "/api/logs/journal",
    "/api/logs/system",
    "/api/logs/docker/web",
  ]) {
    expect((await node.call(`GET ${path}`)).status).toBe(401);
    for (const role of ["viewer", "member"] as const)
      expect((await node.call(`GET ${path}`, { as: role })).status).toBe(403);
  }
});

test("what is no filter is refused with its field", async () => {
  for (const [field, value] of [
    ["lines", "0"],
    ["lines", "5001"],
    ["level", "loud"],
    ["q", ""],
    ["q", "a%00b"],
    ["since", "yesterday"],
    ["until", "2026-02-30"],
    ["unit", "-M"],
    ["unit", "a%20b"],
    ["unit", "*"],
  ]) {
    const { status, body } = await node.call(`GET /api/logs/journal?${field}=${value}`, { as: "admin" });
    expect([field, value, status, body.params?.field]).toEqual([field, value, 400, field]);
  }
  expect((await node.call("GET /api/logs/docker/-x", { as: "admin" })).status).toBe(400);
});

test("without an engine the answer says so", async () => {
  const { status, body } = await node.call("GET /api/logs/docker/web", { as: "admin" });
  expect([status, body.code]).toEqual([503, "runtime_unavailable"]);
});

test("where there is no journal the system's log is a file", async () => {
  const journal = () => Promise.reject(fail("logs_unavailable", { message: "No journal.", next_step: "Start it." }));
  const read = (query: object, files = [join(folder, "none"), syslog]) => {
    const filter = toFilter(query);
    return readSystemLog({ journal, files, now }, filter).then(presentPage);
  };
  expect(await read({})).toEqual({
    from: syslog,
    lines: [
      { at: "2026-01-14T09:00:00.000Z", source: "sshd", level: null, text: "Accepted publickey for mara" },
      { at: "2026-01-14T11:00:00.000Z", source: "kernel", level: null, text: "oom-kill: constraint" },
      { at: "2026-01-14T11:00:00.000Z", source: null, level: null, text: "no time in this line" },
    ],
    note: null,
  });
  const texts = async (query: object) => (await read(query)).lines.map(({ text }) => text);
  expect(await texts({ lines: 1 })).toEqual(["no time in this line"]);
  expect(await texts({ q: "OOM" })).toEqual(["oom-kill: constraint"]);
  expect(await texts({ since: "2026-01-14T10:00:00Z" })).toEqual(["oom-kill: constraint", "no time in this line"]);
  expect(await texts({ until: "2026-01-14T10:00:00Z" })).toEqual(["Accepted publickey for mara"]);
  expect(await texts({ level: "warn" })).toEqual([]);
  expect(read({}, [])).rejects.toMatchObject({ code: "logs_unavailable" });
});

test("a time without year is the last one there was", () => {
  const yearOf = (line: string) => parseSystemLine(line, now).at?.slice(0, 4);
  expect(yearOf("Jan 10 10:00:00 atlas cron[1]: x")).toBe("2026");
  expect(yearOf("Dec 20 10:00:00 atlas cron[1]: x")).toBe("2025");
});

/** A runtime with one container, which wrote that. */
function withContainer(lines: string[]): Pick<Runtime, "requireEngine"> {
  async function* written() {
    for (const text of lines) yield { at: "2026-01-01T00:00:00.000000001Z", stream: "stdout", text };
  }
  const readLogs = async (id: string) => {
    if (id !== "web") throw new EngineError(404, "No such container");
    return written();
  };
  return { requireEngine: () => ({ readLogs }) as never };
}

test("a container's lines are filtered, the newest kept, and one that is not there is said", async () => {
  const runtime = withContainer(["INFO one", "\u001b[31mERROR two\u001b[0m", "WARN three", "plain"]);
  const read = async (query: object, id = "web") =>
    presentPage(await readContainerLog({ runtime }, id, toFilter(query), ended)).lines.map(({ text }) => text);
  expect(await read({})).toEqual(["INFO one", "ERROR two", "WARN three", "plain"]);
  expect(await read({ lines: 1, level: "warn" })).toEqual(["WARN three"]);
  expect(await read({ q: "error" })).toEqual(["ERROR two"]);
  expect(read({}, "gone")).rejects.toMatchObject({ code: "log_source_not_found" });
});
