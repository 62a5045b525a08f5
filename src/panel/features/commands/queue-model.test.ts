import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { createSqlDb } from "../../../kernel/sql/create-db.ts";
import { openSqlite } from "../../../kernel/sql/sqlite-driver.ts";
import { createIds } from "../../../lib/ids.ts";
import type { Actor } from "../../actor.ts";
import type { CommandStatus } from "./contract.ts";
import { type Commands, createCommands } from "./index.ts";
import { cancelSent, getSent, sendCommand } from "./send.ts";

const NODES = ["m-0", "m-1"] as const;
const STATUSES = ["running", "succeeded", "failed", "refused"] as const;

type NodeName = (typeof NODES)[number];
type Step =
  | { do: "send"; node: NodeName }
  | { do: "beat"; node: NodeName }
  | { do: "tell"; node: NodeName; pick: number; status: (typeof STATUSES)[number] }
  | { do: "cancel"; pick: number }
  | { do: "restart" }
  | { do: "flush" };

const node = fc.constantFrom(...NODES);
const pick = fc.nat(20);
/** What may happen, in any order. A result may be of any command that ever was, from either node: late, twice, of the other one. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("send" as const), node }),
  fc.record({ do: fc.constant("beat" as const), node }),
  fc.record({ do: fc.constant("tell" as const), node, pick, status: fc.constantFrom(...STATUSES) }),
  fc.record({ do: fc.constant("cancel" as const), pick }),
  fc.constantFrom<Step>({ do: "restart" }, { do: "flush" }),
);

interface Known {
  id: string;
  node: string;
  /** What the tables must say; null while it is not over. */
  end: CommandStatus | null;
}

test("whatever is told, lost, repeated or cut off: over is over, nothing is lost, nothing over is handed out", async () => {
  const folder = makeScratch("commands");
  const db = createSqlDb(await openSqlite(join(folder, "panel.db")));
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
    session_id: "",
    db: panel.tenant(tenant_id),
    fleet: panel.live.of(tenant_id),
  };
  let queue: Commands;
  const deps = () => ({ clock: panel.clock, ids, version: "1", live: panel.live, commands: queue });
  const identity = (nodeId: string) => ({ nodeId, tenantId: tenant_id, serial: "" });

  /** As after a kill: what was handed out in the last second is not written down. */
  async function restart(): Promise<void> {
    queue = createCommands({ system: panel.system, clock: panel.clock, log, nodes: panel.nodes });
    await queue.open();
  }

  async function take(each: Step, all: Known[]): Promise<void> {
    if (each.do === "restart") return restart();
    if (each.do === "flush") return queue.flush();
    if (each.do === "send") {
      const input = { instance_ids: [each.node], command: "inventory.refresh" };
      const { commands } = await sendCommand(deps(), actor, "", input);
      for (const { id } of commands) all.push({ id, node: each.node, end: null });
      return;
    }
    if (each.do === "beat") {
      const given = queue.forNode(each.node).map(({ id }) => id);
      const open = all.filter(({ node, end }) => node === each.node && end === null);
      expect(given.filter((id) => !open.some((known) => known.id === id))).toEqual([]);
      return;
    }
    const known = all[each.pick % Math.max(1, all.length)];
    if (!known) return;
    if (each.do === "tell") {
      await queue.settle(identity(each.node), [{ id: known.id, status: each.status }]);
      if (known.node === each.node && known.end === null && each.status !== "running") known.end = each.status;
      return;
    }
    const isCancelled = await cancelSent(deps(), actor, "", known.id).then(
      () => true,
      () => false,
    );
    if (!isCancelled) return;
    expect(known.end).toBeNull();
    known.end = "cancelled";
  }

  async function run(steps: readonly Step[]): Promise<void> {
    await restart();
    const all: Known[] = [];
    for (const each of steps) await take(each, all);
    await restart();
    for (const { id, end } of all) {
      const { status } = await getSent(actor, id);
      expect(["queued", "sent", "running"].includes(status) ? null : status).toBe(end);
    }
    const waiting = NODES.reduce((sum, node) => sum + queue.waiting(node), 0);
    expect(waiting).toBe(all.filter(({ end }) => end === null).length);
    for (const { id, node, end } of all)
      if (end === null) await queue.settle(identity(node), [{ id, status: "failed" }]);
  }

  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), run), { numRuns: 60 });
  await db.close();
  rmSync(folder, { recursive: true, force: true });
}, 20_000);
