import { beforeEach, expect, test } from "bun:test";
import type { Person, TestPanel } from "../../../../tests/kit/panel-app.ts";
import type { TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { createRolloutPanel, rolloutInput } from "../../../../tests/kit/rollout-panel.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { forgetOld } from "./forget-store.ts";
import { insertTimeline } from "./store.ts";

onEachEngine("what is kept of rollouts", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let nodes: TestNodes;
  let ada: Person;
  beforeEach(async () => {
    ({ panel, nodes, ada } = await createRolloutPanel(await databases.open()));
    for (const id of ["n0", "n1"]) {
      await nodes.enrol(ada.tenant_id, id);
      await nodes.heartbeat(id, { hostname: `host-${id}`, version: "1.0.0" });
    }
  });

  async function begin(): Promise<{ id: string }> {
    const answer = await panel.call("POST /api/fleet/rollouts", { token: ada.token, body: rolloutInput() });
    expect(answer.status).toBe(200);
    return answer.body;
  }

  test("what is long over is forgotten but for versions that were taken back, which go by their number alone", async () => {
    const ids: string[] = [];
    for (const [no, state] of (["completed", "rolled_back", "completed"] as const).entries()) {
      const { id } = await begin();
      ids.push(id);
      await panel.system.run("UPDATE rollouts SET is_open = 0, state = ?, finished_at = ? WHERE id = ?", [
        ...[state, no === 2 ? panel.clock.now() : 1, id],
      ]);
    }
    const left = async () => {
      const of = (table: string, column: string) =>
        panel.system.all<{ id: string }>(`SELECT DISTINCT ${column} AS id FROM ${table} ORDER BY id`);
      const found = [of("rollouts", "id"), of("rollout_nodes", "rollout_id"), of("rollout_timeline", "rollout_id")];
      const lists = (await Promise.all(found)).map((rows) => rows.map(({ id }) => ids.indexOf(id)));
      expect(lists.map((list) => list.join())).toEqual(Array.from({ length: 3 }, () => lists[0]?.join() ?? ""));
      return lists[0];
    };
    await panel.clock.advance(1_000);
    await panel.runJob("rollouts.forget");
    expect(await left()).toEqual([1, 2]);
    await forgetOld(panel, new AbortController().signal, 1);
    expect(await left()).toEqual([2]);
  });

  test("what goes on again while the old ones are forgotten stays whole, and its nodes are remembered when they are deleted", async () => {
    const { id } = await begin();
    const close = () => panel.system.run("UPDATE rollouts SET is_open = 0, finished_at = 1 WHERE id = ?", [id]);
    const left = async () =>
      (await panel.system.all("SELECT node_id FROM rollout_nodes WHERE rollout_id = ?", [id])).length;
    await close();
    const all: typeof panel.system.all = async (sql, values) => {
      const found = await panel.system.all<never>(sql, values);
      await panel.system.run("UPDATE rollouts SET is_open = 1 WHERE id = ?", [id]);
      return found;
    };
    await forgetOld({ ...panel.ctx, system: { ...panel.system, all } }, new AbortController().signal);
    expect(await left()).toBe(2);
    await nodes.enrol(ada.tenant_id, "other");
    for (const [no, node] of ["n0", "other"].entries()) {
      await panel.tenant(ada.tenant_id).tx((tx) => panel.nodes.deleteNode(tx, node));
      await panel.system.run("UPDATE nodes SET deleted_at = ? WHERE id = ?", [no, node]);
    }
    const known = () => panel.system.all("SELECT id FROM nodes WHERE deleted_at IS NOT NULL");
    await panel.system.run("DELETE FROM commands WHERE node_id = 'n0'");
    await panel.runJob("nodes.forget");
    expect(await known()).toEqual([{ id: "n0" }]);
    await close();
    await panel.runJob("rollouts.forget");
    await panel.runJob("nodes.forget");
    expect([await left(), await known()]).toEqual([0, []]);
  });

  test("a timeline without end keeps its latest lines, and when each stage began", async () => {
    const { id } = await begin();
    const line = { at: 1, kind: "paused", stage: 0, text: "", from_state: "running", to_state: "paused" } as const;
    await panel.system.tx((tx) =>
      insertTimeline(
        tx,
        ada.tenant_id,
        id,
        Array.from({ length: 2_100 }, () => ({ ...line, member_id: null, comment: null })),
      ),
    );
    const rows = await panel.system.all<{ kind: string }>(
      "SELECT kind FROM rollout_timeline WHERE rollout_id = ? ORDER BY no",
      [id],
    );
    expect([rows.length, rows[0]?.kind, rows[1]?.kind]).toEqual([2_001, "stage_started", "paused"]);
  });
});
