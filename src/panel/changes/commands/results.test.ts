import { beforeEach, expect, test } from "bun:test";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { type CommandQueue, createCommandQueue } from "./queue.ts";

onEachEngine("results of commands", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let nodes: Visit["nodes"];
  let ada: Visit["ada"];
  let count: number;
  beforeEach(async () => {
    ({ panel, nodes, ada, count } = await visit());
  });

  /** A queue with one command that its node has got; `written` counts what is changed in the tables. */
  async function withCommand() {
    const node = { nodeId: `results-${count}`, tenantId: ada.tenant_id, serial: "" };
    await nodes.enrol(ada.tenant_id, node.nodeId);
    const body = { instance_ids: [node.nodeId], command: "inventory.refresh" };
    const sent = await panel.call("POST /api/fleet/commands", { token: ada.token, body });
    const id: string = sent.body.commands[0].id;
    const written: string[] = [];
    const system: typeof panel.system = {
      ...panel.system,
      tx: (fn) =>
        panel.system.tx((tx) =>
          fn({
            ...tx,
            get: (sql, values) => {
              written.push(sql);
              return tx.get(sql, values);
            },
          }),
        ),
    };
    const { log } = createTestLog();
    const queue: CommandQueue = createCommandQueue({
      ...{ system, clock: panel.clock, log, nodes: panel.nodes, bus: panel.ctx.bus },
    });
    await queue.start();
    queue.stop();
    await queue.forNode(node);
    written.length = 0;
    const status = async () => (await panel.call(`GET /api/fleet/commands/${id}`, { token: ada.token })).body.status;
    return { node, id, queue, written, status };
  }

  test("of commands that nobody sent, or that are over, nothing is asked of the tables", async () => {
    const { node, id, queue, written, status } = await withCommand();
    const made = Array.from({ length: 100 }, (_, no) => ({ id: `made-${no}`, status: "failed" as const }));
    await queue.settle(node, made);
    expect(written).toEqual([]);
    await queue.settle(node, [...made, { id, status: "succeeded" }]);
    expect(written).toHaveLength(1);
    await queue.settle(node, [{ id, status: "failed" }]);
    expect(written).toHaveLength(1);
    expect(await status()).toBe("succeeded");
  });

  test("whatever is said of one command in one breath is written once: how it ended, or else the last", async () => {
    const { node, id, queue, written, status } = await withCommand();
    const running = Array.from({ length: 50 }, (_, no) => ({ id, status: "running" as const, output: `line ${no}` }));
    await queue.settle(node, running);
    expect(written).toHaveLength(1);
    expect(await status()).toBe("running");
    await queue.settle(node, [...running, { id, status: "failed" }, { id, status: "succeeded" }]);
    expect(written).toHaveLength(2);
    expect(await status()).toBe("failed");
  });
});
