import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { runs } from "../../../../tests/kit/runs.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { createSqlDb } from "../../../kernel/sql/create-db.ts";
import { openSqlite } from "../../../kernel/sql/sqlite-driver.ts";
import { systemClock } from "../../../lib/clock.ts";
import { createIds } from "../../../lib/ids.ts";
import type { Actor } from "../../actor.ts";
import type { CommandStatus } from "./contract.ts";
import { type CommandQueue, createCommandQueue } from "./queue.ts";
import { createCommandRate } from "./rate.ts";
import { cancelSent, getSent, sendCommand } from "./send.ts";

const NODES = ["m-0", "m-1"] as const;
const STATUSES = ["running", "succeeded", "failed", "refused"] as const;

type NodeName = (typeof NODES)[number];
type Step =
  | { do: "send"; node: NodeName }
  | { do: "beat"; node: NodeName }
  | { do: "tell"; node: NodeName; pick: number; status: (typeof STATUSES)[number] }
  | { do: "cancel"; pick: number }
  /** Two heartbeats at once, and the disk refuses whatever is written meanwhile. */
  | { do: "beats"; node: NodeName; isBroken: boolean }
  | { do: "restart" };

const node = fc.constantFrom(...NODES);
const pick = fc.nat(20);
/** What may happen, in any order. A result may be of any command that ever was, from either node: late, twice, of the other one. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("send" as const), node }),
  fc.record({ do: fc.constant("beat" as const), node }),
  fc.record({ do: fc.constant("tell" as const), node, pick, status: fc.constantFrom(...STATUSES) }),
  fc.record({ do: fc.constant("cancel" as const), pick }),
  fc.record({ do: fc.constant("beats" as const), node, isBroken: fc.boolean() }),
  fc.constant<Step>({ do: "restart" }),
);

interface Known {
  id: string;
  node: string;
  /** What the tables must say; null while it is not over. */
  end: CommandStatus | null;
  /** A node has got it. */
  isOut: boolean;
}

test("whatever is told, lost, repeated or cut off: over is over, nothing is lost, nothing over is handed out", async () => {
  const folder = makeScratch("commands");
  const db = createSqlDb(await openSqlite(join(folder, "panel.db"), systemClock));
  const panel = await createTestPanel(db);
  const { tenant_id, member_id, account_id } = await panel.join("model");
  const nodes = createTestNodes(panel);
  for (const id of NODES) await nodes.enrol(tenant_id, id);
  const { log } = createTestLog();
  const ids = createIds(panel.clock.now);
  const actor: Actor = {
    account_id,
    member_id,
    tenant_id,
    role: "org_owner",
    is_staff: false,
    is_wsl: false,
    session_id: "",
    db: panel.tenant(tenant_id),
  };
  let queue: CommandQueue;
  let isBroken = false;
  const system: typeof panel.system = {
    ...panel.system,
    tx: (fn) => (isBroken ? Promise.reject(new Error("the disk is full")) : panel.system.tx(fn)),
  };
  const rate = createCommandRate(panel.clock);
  const deps = () => {
    const { bus, lists } = panel.ctx;
    return { clock: panel.clock, ids, version: "1", live: panel.live, queue, rate, bus, lists };
  };
  const identity = (nodeId: string) => ({ nodeId, tenantId: tenant_id, serial: "" });

  /** As after a kill. */
  async function restart(): Promise<void> {
    queue = createCommandQueue({ system, clock: panel.clock, log, nodes: panel.nodes, bus: panel.ctx.bus });
    await queue.start();
    queue.stop();
  }

  async function take(each: Step, all: Known[]): Promise<void> {
    if (each.do === "restart") return restart();
    if (each.do === "send") {
      const input = { instance_ids: [each.node], command: "inventory.refresh" };
      const { commands } = await sendCommand(deps(), actor, "", input);
      for (const { id } of commands) all.push({ id, node: each.node, end: null, isOut: false });
      return;
    }
    if (each.do === "beat") return take({ do: "beats", node: each.node, isBroken: false }, all);
    if (each.do === "beats") {
      isBroken = each.isBroken;
      const [given, second] = await Promise.all([
        queue.forNode(identity(each.node)),
        queue.forNode(identity(each.node)),
      ]);
      isBroken = false;
      expect(second).toEqual(given);
      const open = all.filter(({ node, end }) => node === each.node && end === null);
      for (const { id } of given) {
        const known = open.find((one) => one.id === id);
        expect(known).toBeDefined();
        if (known) known.isOut = true;
      }
      // Nothing that could be told is kept back.
      if (!each.isBroken) expect(open.filter(({ isOut }) => !isOut).length).toBe(Math.max(0, open.length - 20));
      return;
    }
    const known = all[each.pick % Math.max(1, all.length)];
    if (!known) return;
    if (each.do === "tell") {
      await queue.settle(identity(each.node), [{ id: known.id, status: each.status }]);
      if (known.node !== each.node || known.end !== null) return;
      known.isOut = true;
      if (each.status !== "running") known.end = each.status;
      return;
    }
    const isCancelled = await cancelSent(deps(), actor, "", known.id).then(
      () => true,
      () => false,
    );
    if (!isCancelled) return;
    expect(known).toMatchObject({ end: null, isOut: false });
    known.end = "cancelled";
  }

  async function run(steps: readonly Step[]): Promise<void> {
    await panel.system.run("DELETE FROM commands");
    await restart();
    const all: Known[] = [];
    for (const each of steps) await take(each, all);
    await restart();
    for (const { id, end, isOut } of all) {
      const { status, sent_at } = await getSent(deps(), actor, id);
      if (isOut) expect(sent_at).not.toBeNull();
      expect(["queued", "sent", "running"].includes(status) ? null : status).toBe(end);
    }
    const waiting = NODES.reduce((sum, node) => sum + queue.waiting(node), 0);
    expect(waiting).toBe(all.filter(({ end }) => end === null).length);
  }

  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), run), { numRuns: runs(100) });
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});
