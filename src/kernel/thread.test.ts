import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { watchThreads } from "../../tests/kit/watch-threads.ts";
import type { WriterAnswer, WriterRequest } from "./sql/sqlite-messages.ts";
import { startThread } from "./thread.ts";

const startWriter = () => startThread<WriterRequest, WriterAnswer>("kernel/sql/sqlite-writer");
const failureOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => "none", String);

test("each question gets its own answer, and what fails in the thread fails for whoever asked", async () => {
  const writer = startWriter();
  const early = failureOf(writer.ask({ do: "all", sql: "SELECT 1 AS x", values: [] }));
  const opened = writer.ask({ do: "open", path: ":memory:" });
  const one = writer.ask({ do: "all", sql: "SELECT 1 AS x", values: [] });
  const two = writer.ask({ do: "all", sql: "SELECT 2 AS x", values: [] });
  expect(await early).toContain("the database is not open");
  expect(await opened).toEqual({ rows: [], changes: 0 });
  expect([(await one).rows, (await two).rows]).toEqual([[{ x: 1 }], [{ x: 2 }]]);
  writer.end();
});

test("a stopped thread refuses what waits and what comes", async () => {
  const writer = startWriter();
  const waiting = failureOf(writer.ask({ do: "open", path: ":memory:" }));
  writer.end();
  expect(await waiting).toContain("was stopped");
  expect(await failureOf(writer.ask({ do: "close" }))).toContain("was stopped");
});

test("a thread that dies without a word refuses what waits and what comes", async () => {
  const threads = watchThreads();
  const writer = startWriter();
  threads.stop();
  expect(writer.isOver()).toBe(false);
  const waiting = failureOf(writer.ask({ do: "open", path: ":memory:" }));
  await threads.kill("sqlite-writer");
  expect(await waiting).toContain("sqlite-writer ended");
  expect(await failureOf(writer.ask({ do: "close" }))).toContain("sqlite-writer ended");
  expect(writer.isOver()).toBe(true);
});

test("a thread that cannot start refuses everything", async () => {
  expect(await failureOf(startThread("kernel/no-such-thread").ask("anything"))).toContain("no-such-thread ended");
});

test("a thread without open questions does not keep the process alive, an open one does", async () => {
  const program = `
    import { startThread } from "${import.meta.dir}/thread.ts";
    const writer = startThread("kernel/sql/sqlite-writer");
    await writer.ask({ do: "open", path: ":memory:" });
    const { rows } = await writer.ask({ do: "all", sql: "SELECT 7 AS x", values: [] });
    console.log(rows[0].x);`;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "inherit" });
  expect(await child.exited).toBe(0);
  expect(await new Response(child.stdout).text()).toBe("7\n");
});

test("a thread ends with whoever it is for, and leaves nothing with them when it ends before", async () => {
  const program = new AbortController();
  const ended = startThread<WriterRequest, WriterAnswer>("kernel/sql/sqlite-writer", [program.signal]);
  ended.end();
  expect(getEventListeners(program.signal, "abort")).toEqual([]);
  const running = startThread<WriterRequest, WriterAnswer>("kernel/sql/sqlite-writer", [program.signal]);
  expect(getEventListeners(program.signal, "abort")).toHaveLength(1);
  const waiting = failureOf(running.ask({ do: "open", path: ":memory:" }));
  program.abort();
  expect(await waiting).toContain("was stopped");
  expect(startThread<WriterRequest, WriterAnswer>("kernel/sql/sqlite-writer", [program.signal]).isOver()).toBe(true);
});
