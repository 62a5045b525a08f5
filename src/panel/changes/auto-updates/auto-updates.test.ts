import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes, type TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { beginUpdates } from "./look.ts";

onEachEngine("updates by themselves", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let nodes: TestNodes;
  let ada: Person;
  let newest: string;
  beforeEach(async () => {
    panel = await createTestPanel(await databases.open());
    nodes = createTestNodes(panel);
    ada = await panel.join("ada");
    newest = "2.0.0";
    await plan(ada, "business");
  });

  const plan = (person: Person, name: string) =>
    panel.system.run("UPDATE tenants SET plan = ? WHERE tenant_id = ?", [name, person.tenant_id]);
  const choose = (value: boolean, person = ada) =>
    panel.call("PUT /api/v1/workspace/settings", { token: person.token, body: { agent_auto_update: value } });
  const heard = async (versions: Record<string, string>, person = ada) => {
    for (const [id, version] of Object.entries(versions)) {
      await nodes.enrol(person.tenant_id, id);
      await nodes.heartbeat(id, { hostname: id, version });
    }
  };
  const look = (more: { isDefault?: boolean; fails?: boolean } = {}) =>
    beginUpdates(
      {
        ...panel.ctx,
        config: { ...panel.ctx.config, agent_auto_update: more.isDefault ?? false },
        releases: {
          hindrance: null,
          newest: () => (more.fails ? Promise.reject(new Error("not there")) : Promise.resolve(newest)),
        },
      },
      new AbortController().signal,
    );
  const rollouts = async (person = ada) =>
    (await panel.call("GET /api/fleet/rollouts", { token: person.token })).body.rollouts;

  test("begin a rollout to the newest release for what is older, in the panel's own name", async () => {
    await choose(true);
    await heard({ old: "1.0.0", same: "2.0.0", ahead: "3.0.0" });
    await look();
    const [begun, ...others] = await rollouts();
    expect(others).toEqual([]);
    expect(begun).toMatchObject({
      ...{ name: "Update to 2.0.0", target_version: "2.0.0", kind: "os_version", total_nodes: 1 },
      ...{ stages: [1, 10, 50, 100], auto_promote: true, created_by: "panel", created_by_name: null },
      filter: { instance_ids: ["old"] },
    });
    const { commands } = await nodes.heartbeat("old", { hostname: "old", version: "1.0.0" });
    expect(commands).toMatchObject([{ type: "update.apply", payload: { version: "2.0.0" } }]);
    const { entries } = (await panel.call("GET /api/audit/logs?actor=panel", { token: ada.token })).body;
    expect(entries).toMatchObject([{ action: "fleet.rollout.create", actor: { kind: "panel" } }]);
    await look();
    expect(await rollouts()).toHaveLength(1);
  });

  test("only where that is wanted, or where nobody chose and the platform does it", async () => {
    const bert = await panel.join("bert");
    await plan(bert, "business");
    await heard({ hers: "1.0.0" });
    await heard({ his: "1.0.0" }, bert);
    await look();
    expect([...(await rollouts()), ...(await rollouts(bert))]).toEqual([]);
    await choose(false);
    await look({ isDefault: true });
    expect([await rollouts(), await rollouts(bert)]).toMatchObject([[], [{ total_nodes: 1 }]]);
  });

  test("leave alone what was taken back, and send nobody a version twice", async () => {
    await choose(true);
    await heard({ first: "1.0.0" });
    await look();
    const [{ id }] = await rollouts();
    await panel.call(`POST /api/fleet/rollouts/${id}/rollback`, { token: ada.token, body: {} });
    await heard({ second: "1.0.0" });
    await look();
    expect(await rollouts()).toHaveLength(1);
    newest = "2.1.0";
    await panel.system.run("UPDATE rollouts SET is_open = 0");
    await look();
    expect(await rollouts()).toMatchObject([{ target_version: "2.1.0", total_nodes: 2 }, { id }]);
    await panel.system.run("UPDATE rollouts SET is_open = 0, state = 'completed' WHERE target_version = '2.1.0'");
    const [{ id: completed }] = await rollouts();
    const keep = (node: string, commandId: string | null) =>
      panel.system.run("UPDATE rollout_nodes SET command_id = ? WHERE rollout_id = ? AND node_id = ?", [
        ...[commandId, completed, node],
      ]);
    await keep("first", "cmd_1");
    await keep("second", null);
    await look();
    expect((await rollouts())[0]).toMatchObject({ target_version: "2.1.0", filter: { instance_ids: ["second"] } });
  });

  test("nothing happens without the list of releases, or with a plan that has no rollouts", async () => {
    await choose(true);
    await heard({ old: "1.0.0" });
    await look({ fails: true });
    await plan(ada, "free");
    await look();
    await plan(ada, "business");
    expect(await rollouts()).toEqual([]);
  });

  test("the settings say what keeps them from happening", async () => {
    const reasonOf = async () => (await panel.call("GET /api/v1/workspace/settings", { token: ada.token })).body;
    expect(await reasonOf()).toMatchObject({
      without_effect: [],
      hindered: [{ rule: "agent_auto_update", reason: expect.stringContaining("ORRERY_RELEASE_BASE") }],
      platform: { agent_auto_update: false },
    });
    expect((await choose(true)).body.without_effect).toEqual(["agent_auto_update"]);
    await plan(ada, "free");
    expect(await panel.ctx.rollouts.hindranceOf(ada.tenant_id)).toContain("business");
  });
});
