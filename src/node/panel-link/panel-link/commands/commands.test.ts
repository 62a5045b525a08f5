import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { belongToPanel, linkOwn } from "../../../../../tests/kit/link-own.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { runs } from "../../../../../tests/kit/runs.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { nodeConfigTable } from "../../../config.ts";
import { acceptCommands } from "./accept.ts";
import { findCommand, moveCommand } from "./command-store.ts";
import { createExecutor } from "./executor.ts";
import { collectResults, resultsHeard } from "./results.ts";

const COMMANDS = {
  hello: ["echo", "hi", "$HOME; ls"],
  broken: ["sh", "-c", "echo what it said; exit 3"],
  endless: ["sh", "-c", "yes | head -c 200000"],
  missing: ["/no/such/program"],
  colours: ["printf", "\\033[31mred\\007\\n\\tand tabs"],
  orphan: ["sh", "-c", "echo begun; sleep 20 &"],
};
const OURS = "ten_a";
let node: TestNode;
beforeEach(() => {
  node = createTestNode({ panel_commands: JSON.stringify(COMMANDS) });
  belongToPanel(node.ctx, OURS);
});
afterEach(() => node.close());

const find = (id: string) => findCommand(node.ctx.db, { membership: OURS, id });
let count = 0;
const command = (
  type: string,
  payload: Record<string, unknown> = {},
  more: { id?: string; generation?: number } = {},
) => ({
  id: `cmd_${++count}`,
  type,
  generation: 0,
  payload,
  ...more,
});
type Given = ReturnType<typeof command>;

const accept = (...all: Given[]) => acceptCommands(linkOwn(node.ctx), OURS, all);
async function carryOut(): Promise<void> {
  const executor = createExecutor(linkOwn(node.ctx));
  // No engine is waited for any more.
  await node.clock.advance(120_000);
  executor.work();
  await executor.idle();
}
async function run(given: Given) {
  accept(given);
  await carryOut();
  return find(given.id);
}
const told = () => node.events.filter(({ name }) => name === "panel.command_run").map(({ data }) => data);

describe("run_command", () => {
  test("runs what the owner allows, as a list of words and never through a shell", async () => {
    expect(await run(command("run_command", { command: "hello" }))).toMatchObject({
      status: "succeeded",
      output: "hi $HOME; ls",
      error: null,
    });
    expect(told()).toMatchObject([{ type: "run_command", status: "succeeded", actor: "panel" }]);
  });

  test.each([
    [{ command: "rm -rf /" }, "does not allow"],
    [{ command: "constructor" }, "does not allow"],
    [{ command: ["echo"] }, "does not say command"],
    [{}, "does not say command"],
  ])("%j is refused and nothing runs", async (payload, reason) => {
    const row = await run(command("run_command", payload));
    expect(row).toMatchObject({ status: "refused", output: null });
    expect(row?.error).toContain(reason);
  });

  test("a failure brings what the program said", async () => {
    expect(await run(command("run_command", { command: "broken" }))).toMatchObject({
      status: "failed",
      error: "broken ended with code 3",
      output: "what it said",
    });
    expect(await run(command("run_command", { command: "missing" }))).toMatchObject({ status: "failed" });
  });

  test("output is cut", async () => {
    const row = await run(command("run_command", { command: "endless" }));
    expect(row?.output?.length).toBeLessThanOrEqual(65_536);
  });

  test("what steers terminals is left out", async () => {
    expect((await run(command("run_command", { command: "colours" })))?.output).toBe("[31mred\n\tand tabs");
  });

  test("what a program leaves running is not waited for", async () => {
    const given = command("run_command", { command: "orphan" });
    accept(given);
    const done = carryOut();
    await until(async () => {
      await node.clock.advance(1_000);
      return find(given.id)?.status === "succeeded";
    });
    await done;
    expect(find(given.id)?.output).toBe("begun");
  });

  test("nothing is allowed unless the owner says so, and the owner's mistakes are told", () => {
    expect(nodeConfigTable.panel_commands.default).toEqual({});
    for (const text of ["x", "[]", '{"a":"ls"}', '{"a":[]}', '{"a":[1]}']) {
      expect(() => nodeConfigTable.panel_commands.parse(text)).toThrow();
    }
  });
});

test.each([
  [command("app.restart", { app_id: "app_none" }), "refused", "There is no app app_none"],
  [command("app.stop"), "refused", "does not say app_id"],
  [command("update.apply", { version: "1.2.3" }), "succeeded", null],
  [command("update.apply", { version: "9.9.9" }), "refused", "no installed service"],
  [command("tag", { tags: ["x"] }), "succeeded", null],
  [command("inventory.refresh"), "succeeded", null],
  [command("self.destruct"), "refused", "knows no command self.destruct"],
] as const)("%j: %s", async (given, status, reason) => {
  const row = await run(given);
  expect(row).toMatchObject({ status });
  if (reason === null) expect(row?.error).toBeNull();
  else expect(row?.error).toContain(reason);
});

test("what the panel asks for again is not done again, but told again", async () => {
  const given = command("run_command", { command: "hello" });
  await run(given);
  const results = collectResults(node.ctx.db, OURS);
  expect(results).toEqual([{ id: given.id, status: "succeeded", output: "hi $HOME; ls" }]);
  resultsHeard(node.ctx.db, OURS, results);
  expect(collectResults(node.ctx.db, OURS)).toEqual([]);
  await run({ ...given, payload: { command: "broken" } });
  expect(collectResults(node.ctx.db, OURS)).toEqual(results);
  expect(told()).toHaveLength(1);
});

test("a status that changed after it was sent is sent again", async () => {
  const given = command("run_command", { command: "hello" });
  accept(given);
  moveCommand(
    node.ctx.db,
    { membership: OURS, id: given.id },
    { status: "running", output: null, error: null, finished_at: null },
  );
  const sent = collectResults(node.ctx.db, OURS);
  expect(sent).toEqual([{ id: given.id, status: "running" }]);
  moveCommand(
    node.ctx.db,
    { membership: OURS, id: given.id },
    { status: "succeeded", output: "done", error: null, finished_at: 1 },
  );
  resultsHeard(node.ctx.db, OURS, sent);
  expect(collectResults(node.ctx.db, OURS)).toEqual([{ id: given.id, status: "succeeded", output: "done" }]);
});

test("results beyond a heartbeat's room wait for the next one", async () => {
  const all = Array.from({ length: 6 }, () => command("run_command", { command: "endless" }));
  accept(...all);
  await carryOut();
  const sizes = [];
  for (
    let results = collectResults(node.ctx.db, OURS);
    results.length > 0;
    results = collectResults(node.ctx.db, OURS)
  ) {
    sizes.push(results.length);
    resultsHeard(node.ctx.db, OURS, results);
  }
  expect(sizes).toEqual([4, 2]);
});

describe("generations", () => {
  const known = (id: string): string | undefined => find(id)?.status;

  test("an overtaken command is refused; types and workspaces count for themselves", () => {
    accept(command("update.apply", {}, { id: "new", generation: 5 }));
    accept(command("update.apply", {}, { id: "old", generation: 4 }));
    accept(command("update.apply", {}, { id: "same", generation: 5 }));
    accept(command("tag", {}, { id: "other", generation: 1 }));
    acceptCommands(linkOwn(node.ctx), "ten_b", [command("update.apply", {}, { id: "elsewhere", generation: 1 })]);
    expect(["new", "old", "same", "other"].map(known)).toEqual(["queued", "refused", "queued", "queued"]);
    expect(findCommand(node.ctx.db, { membership: "ten_b", id: "elsewhere" })?.status).toBe("queued");
    expect(find("old")?.error).toContain("overtaken");
  });

  test("whatever comes in whatever order and however often, nothing overtaken begins", () => {
    const any = fc.array(fc.record({ id: fc.integer({ min: 0, max: 9 }), generation: fc.nat(4) }), { maxLength: 30 });
    fc.assert(
      fc.property(any, (given) => {
        node.ctx.db.raw.run("DELETE FROM panel_commands");
        node.ctx.db.raw.run("DELETE FROM panel_generations");
        let highest = -1;
        const expected = new Map<string, string>();
        for (const { id, generation } of given) {
          const name = `c${id}`;
          if (!expected.has(name)) expected.set(name, generation < highest ? "refused" : "queued");
          if (expected.get(name) === "queued" && find(name) === null) {
            highest = Math.max(highest, generation);
          }
          accept(command("tag", {}, { id: name, generation }));
        }
        for (const [name, status] of expected) expect(known(name)).toBe(status);
      }),
      { numRuns: runs(25) },
    );
  });
});

test("ids that could not be told back and payloads without end are not taken", () => {
  accept(command("tag", {}, { id: "x".repeat(65) }), command("tag", {}, { id: "" }));
  expect(node.ctx.db.raw.query("SELECT id FROM panel_commands").all()).toEqual([]);
  accept(command("tag", { text: "x".repeat(70_000) }, { id: "long" }));
  expect(find("long")).toMatchObject({ status: "refused", payload: "{}" });
});

test("one whose type is longer than any is refused, so that the panel hears of its end, and nothing of that length is kept", async () => {
  const given = command("t".repeat(100_000), { text: "x" }, { id: "endless", generation: 7 });
  accept(given, command("tag", {}, { id: "other" }));
  const row = find("endless");
  expect(row).toMatchObject({
    status: "refused",
    payload: "{}",
    error: expect.stringContaining("longer than 64 char"),
  });
  expect(row?.type).toHaveLength(64);
  expect(collectResults(node.ctx.db, OURS)).toEqual([{ id: "endless", status: "refused", error: row?.error ?? "" }]);
  expect(find("other")?.status).toBe("queued");
  await carryOut();
  expect(told()).toMatchObject([
    { command_id: "endless", type: row?.type, status: "refused" },
    { command_id: "other" },
  ]);
  const seen = node.ctx.db.raw.query("SELECT max(length(type)) AS longest FROM panel_generations").get();
  expect(seen).toEqual({ longest: 3 });
});

test("no more commands are taken than a panel has use for; what waited comes in its turn", async () => {
  const own = linkOwn(node.ctx);
  const take = (all: Given[]) => acceptCommands(own, OURS, all);
  const count = () => node.ctx.db.raw.query<{ n: number }, []>("SELECT count(*) n FROM panel_commands").get()?.n;
  const many = Array.from({ length: 1_002 }, () => command("tag"));
  take(many);
  expect(count()).toBe(1_000);
  await node.clock.advance(4_000);
  // Those that are known cost nothing.
  take(many);
  expect(count()).toBe(1_001);
  expect(find(many[1_000]?.id ?? "")?.status).toBe("refused");
});

describe("a crash in the middle", () => {
  const cutOff = (given: Given) => {
    accept(given);
    moveCommand(
      node.ctx.db,
      { membership: OURS, id: given.id },
      { status: "running", output: null, error: null, finished_at: null },
    );
  };

  test("does what can be done twice, and says of the rest that it does not know", async () => {
    const program = command("run_command", { command: "hello" });
    const tag = command("tag");
    const waiting = command("run_command", { command: "hello" });
    cutOff(program);
    cutOff(tag);
    accept(waiting);
    const again = createTestNode({ panel_commands: JSON.stringify(COMMANDS) }, node);
    const executor = createExecutor(linkOwn(again.ctx));
    executor.recover();
    executor.work();
    await executor.idle();
    expect(find(program.id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("stopped"),
    });
    expect(find(tag.id)?.status).toBe("succeeded");
    expect(find(waiting.id)?.status).toBe("succeeded");
    const runs = again.events.filter(({ name }) => name === "panel.command_run");
    expect(runs.map(({ data }) => data)).toMatchObject([
      { command_id: program.id, status: "failed" },
      { command_id: tag.id, status: "succeeded" },
      { command_id: waiting.id, status: "succeeded" },
    ]);
    again.close();
  });
});
