import { afterEach, beforeEach, expect, test } from "bun:test";
import { linkOwn } from "../../../../../tests/kit/link-own.ts";
import { createLinkPanel, type LinkPanel } from "../../../../../tests/kit/link-panel.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { createExecutor } from "../commands/executor.ts";
import { readConnectLine } from "../enrolment/connect-line.ts";
import { runPanelLink } from "./run.ts";

let node: TestNode;
let panel: LinkPanel;
let over: Promise<void>;
beforeEach(async () => {
  panel = await createLinkPanel();
  node = createTestNode();
  node.clock.jump(panel.clock.now() - node.clock.now());
  over = runPanelLink(linkOwn(node.ctx));
});
afterEach(async () => {
  node.close();
  await over;
  await panel.away();
});

const phase = () => node.ctx.panelLink.status().phase;
/** Lets the node's time run until something is so; answers come in real time. */
const runUntil = (ask: () => boolean, what: string, stepMs = 1_000) =>
  until(
    async () => {
      if (ask()) return true;
      await node.clock.advance(stepMs);
      return ask();
    },
    { everyMs: 5, what },
  );
/** As the command line does it: through the database alone. */
const connectBeside = () => node.ctx.panelLink.connect(readConnectLine(panel.line()), { by: "host", ip: "" });

test("a link that another process wrote is taken up, followed, and left when it goes", async () => {
  await connectBeside();
  await runUntil(() => phase() === "connected", "the first heartbeat");
  expect(node.events).toContainEqual({
    name: "panel.connected",
    data: expect.objectContaining({ by: "host", instance_id: panel.heard.length > 0 ? expect.any(String) : "" }),
  });
  await runUntil(() => panel.heard.length >= 3, "two more heartbeats", 5_000);
  node.ctx.panelLink.disconnect({ by: "host", ip: "" });
  await runUntil(() => node.events.at(-1)?.name === "panel.disconnected", "the end");
  const heard = panel.heard.length;
  await node.clock.advance(60_000);
  expect(panel.heard.length).toBe(heard);
  await connectBeside();
  await runUntil(() => phase() === "connected" && panel.heard.length > heard, "another link");
});

test("whoever asks for a heartbeat gets one at once; a panel that comes back is found", async () => {
  await connectBeside();
  await runUntil(() => phase() === "connected", "the first heartbeat");
  node.ctx.panelLink.say("beat");
  await runUntil(() => panel.heard.length === 2, "a heartbeat before its time", 300);
  await panel.away();
  await runUntil(() => phase() === "retrying", "the panel's absence", 5_000);
  await panel.back();
  await runUntil(() => phase() === "connected", "the panel's return", 5_000);
});

test("the panel calls over the session, and says on it that the node was deleted", async () => {
  await connectBeside();
  await runUntil(() => phase() === "connected", "the first heartbeat", 100);
  const id = node.ctx.panelLink.state()?.instance_id ?? "";
  await runUntil(
    () => {
      panel.wake(id);
      return panel.heard.length >= 2;
    },
    "a heartbeat that was called for",
    100,
  );
  expect(node.clock.monotonic()).toBeLessThan(18_000);
  panel.fleet.deleteNode(id);
  const since = node.clock.monotonic();
  await runUntil(() => phase() === "deleted", "the end", 100);
  expect(node.clock.monotonic() - since).toBeLessThan(2_000);
});

test("a command is carried out and its result told with the next heartbeat", async () => {
  await connectBeside();
  panel.commands.push({ id: "cmd_1", type: "no.such", generation: 1, payload: {} });
  await runUntil(() => phase() === "connected", "the first heartbeat");
  panel.commands.length = 0;
  const executor = createExecutor(linkOwn(node.ctx));
  executor.work();
  await executor.idle();
  const told = () => panel.heard.find(({ results }) => results !== undefined)?.results;
  await runUntil(() => told() !== undefined, "the result");
  expect(told()).toMatchObject([{ id: "cmd_1", status: "refused" }]);
  const before = panel.heard.length;
  await runUntil(() => panel.heard.length > before, "one more heartbeat", 5_000);
  expect(panel.heard.at(-1)).not.toHaveProperty("results");
});

test("who asks while a heartbeat is on its way gets another one", async () => {
  await connectBeside();
  panel.onHeard = () => node.ctx.panelLink.say("beat");
  await runUntil(() => panel.heard.length === 1, "the first heartbeat", 100);
  panel.onHeard = null;
  const since = node.clock.monotonic();
  await runUntil(() => panel.heard.length === 2, "the one that was asked for meanwhile", 100);
  expect(node.clock.monotonic() - since).toBeLessThan(2_000);
});
