import { afterEach, beforeEach, expect, test } from "bun:test";
import { linkOwn } from "../../../../../tests/kit/link-own.ts";
import { createLinkPanel, type LinkPanel } from "../../../../../tests/kit/link-panel.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { until } from "../../../../../tests/kit/until.ts";
import type { AgentCommand } from "../../../../shared/agent-protocol/index.ts";
import { createExecutor } from "../commands/executor.ts";
import { findLink } from "../link-store.ts";
import { type Conversation, converse } from "../talk/conversation.ts";

const COMMANDS = { secret: ["echo", "for the first panel"], long: ["sleep", "60"] };
let node: TestNode;
let first: LinkPanel;
let second: LinkPanel;
let talk: Conversation | null = null;

beforeEach(async () => {
  [first, second] = await Promise.all([createLinkPanel(), createLinkPanel()]);
  node = createTestNode({ panel_commands: JSON.stringify(COMMANDS) });
  node.clock.jump(first.clock.now() - node.clock.now());
});
afterEach(async () => {
  talk?.close();
  talk = null;
  await Promise.all([first.away(), second.away()]);
  node.close();
});

const connect = (panel: LinkPanel, tenant = "ten_a") =>
  node.call("POST /api/cp/connect", { as: "admin", body: { line: panel.line(tenant) } });
const disconnect = () => node.call("POST /api/cp/disconnect", { as: "admin" });
async function beat(): Promise<void> {
  talk?.close();
  const row = findLink(node.ctx.db);
  if (!row) throw new Error("there is no link");
  talk = converse(linkOwn(node.ctx), row);
  await talk.beat();
}
const command = (id: string, type: string, payload: Record<string, unknown> = {}): AgentCommand => ({
  ...{ id, type, generation: 0, payload },
});
const told = () => node.events.filter(({ name }) => name === "panel.command_run").map(({ data }) => data);
async function carryOut(): Promise<void> {
  const executor = createExecutor(linkOwn(node.ctx));
  executor.recover();
  executor.work();
  await executor.idle();
}
const rows = () => node.ctx.db.raw.query("SELECT id, type, status FROM panel_commands ORDER BY rowid").all();

test.each(["it disconnects", "the first one deletes it"])(
  "what was done for one panel is told to no other when %s",
  async (how) => {
    await connect(first);
    first.commands.push(command("c1", "run_command", { command: "secret" }));
    await beat();
    await carryOut();
    if (how === "it disconnects") await disconnect();
    else {
      first.fleet.deleteNode(findLink(node.ctx.db)?.instance_id ?? "");
      first.commands.length = 0;
      await beat();
    }
    // Whatever workspace the second one says that it is of.
    await connect(second);
    second.commands.push(command("c1", "tag"));
    await beat();
    await beat();
    expect(second.heard.map(({ results }) => results)).toEqual([undefined, undefined]);
    await carryOut();
    expect(told()).toMatchObject([
      { command_id: "c1", type: "run_command", status: "succeeded" },
      { command_id: "c1", type: "tag", status: "succeeded" },
    ]);
  },
);

test("what is under way as a node leaves ends with that, and is on record; a start finds nothing to go on with", async () => {
  await connect(first);
  first.commands.push(command("c1", "run_command", { command: "long" }), command("c2", "tag"));
  await beat();
  const executor = createExecutor(linkOwn(node.ctx));
  executor.work();
  await until(() => rows().some((row) => (row as { status: string }).status === "running"));
  await disconnect();
  await executor.idle();
  expect(told()).toMatchObject([{ command_id: "c1", status: "failed", detail: expect.stringContaining("left") }]);
  expect(rows()).toMatchObject([{ id: "c1", status: "failed" }]);
  await carryOut();
  expect(rows()).toHaveLength(1);
});

test("a start begins nothing again for a panel that the node has left meanwhile", async () => {
  await connect(first);
  first.commands.push(command("c1", "tag"));
  await beat();
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_commands SET status = 'running'"));
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET ended = 'disconnected'"));
  await carryOut();
  expect(rows()).toMatchObject([{ id: "c1", status: "failed" }]);
});

test("the same panel may come back: what it had done is not done again", async () => {
  await connect(first);
  first.commands.push(command("c1", "run_command", { command: "secret" }));
  await beat();
  await carryOut();
  await disconnect();
  await connect(first);
  await beat();
  await carryOut();
  expect(told()).toHaveLength(1);
  await beat();
  expect(first.heard.at(-1)?.results).toMatchObject([{ id: "c1", status: "succeeded" }]);
});

test("another workspace of the same panel is somebody else", async () => {
  await connect(first);
  first.commands.push(command("c1", "run_command", { command: "secret" }));
  await beat();
  await carryOut();
  await disconnect();
  first.fleet.deleteNode(findLink(node.ctx.db)?.instance_id ?? "");
  await connect(first, "ten_b");
  await beat();
  await beat();
  expect(first.heard.map(({ results }) => results)).toEqual([undefined, undefined, undefined]);
  await carryOut();
  expect(told()).toHaveLength(2);
});
