import { beforeEach, expect, spyOn, test } from "bun:test";
import { askMeanwhile } from "../../../../tests/kit/ask-meanwhile.ts";
import type { Person, TestPanel } from "../../../../tests/kit/panel-app.ts";
import type { TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { createRolloutFleet, OLD } from "../../../../tests/kit/rollout-fleet.ts";
import { createRolloutPanel, rolloutInput } from "../../../../tests/kit/rollout-panel.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { lockRollout } from "./store.ts";

onEachEngine("changes of rollouts that wait", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let ada: Person;
  let id: string;
  let nodes: TestNodes;
  beforeEach(async () => {
    const made = await createRolloutPanel(await databases.open());
    ({ panel, ada, nodes } = made);
    await createRolloutFleet(panel, nodes, ada).enrol(4);
    ({ id } = (await panel.call("POST /api/fleet/rollouts", { token: ada.token, body: rolloutInput() })).body);
  });

  const change = (kind: string, { token }: Person) => panel.call(`POST /api/fleet/rollouts/${id}/${kind}`, { token });
  const look = () =>
    panel.system.get<{ state: string; progress: string }>("SELECT state, progress FROM rollouts WHERE id = ?", [id]);
  const changeLate = (kind: string, guest: Person, take: (tx: SystemTx) => Promise<unknown>) =>
    askMeanwhile(panel, { lock: (tx) => lockRollout(tx, ada.tenant_id, id), take, ended: guest.member_id }, () =>
      change(kind, guest),
    );

  test.each(["pause", "rollback"])("nothing comes of a %s when its sender was removed meanwhile", async (kind) => {
    const guest = await panel.invite(ada, "guest", "org_manager");
    const late = await changeLate(kind, guest, (tx) =>
      tx.run("UPDATE members SET status = 'disabled' WHERE id = ?", [guest.member_id]),
    );
    expect([late.status, late.body.code, (await look())?.state]).toEqual([401, "unauthorized", "running"]);
  });

  test("nor does whoever may no longer do everything to nodes take them back from any release", async () => {
    const guest = await panel.invite(ada, "guest", "org_admin");
    const demote = (tx: SystemTx) => tx.run("UPDATE members SET role = 'org_manager' WHERE id = ?", [guest.member_id]);
    const late = await changeLate("rollback", guest, demote);
    expect([late.status, late.body.code, (await look())?.state]).toEqual([409, "role_changed", "running"]);
    expect((await change("rollback", guest)).status).toBe(200);
    expect(JSON.parse((await look())?.progress ?? "").from_any_version).toBe(false);
  });

  test("what is refused waits for nobody who writes, and reads none of the nodes", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const writing = panel.system.tx(async (tx) => {
      await lockRollout(tx, ada.tenant_id, id);
      await tx.run("UPDATE rollout_nodes SET state = state WHERE rollout_id = ?", [id]);
      hold();
      await released;
    });
    await held;
    const refused = await Promise.all(["promote", "resume"].map((kind) => change(kind, ada)));
    const body = rolloutInput({ filter: { instance_ids: ["n0"] } });
    const busy = await panel.call("POST /api/fleet/rollouts", { token: ada.token, body });
    release();
    await writing;
    expect([...refused, busy].map(({ status, body: { code } }) => [status, code])).toEqual([
      [409, "rollout_state"],
      [409, "rollout_state"],
      [422, "rollout_no_nodes"],
    ]);
  });

  test("a rollout begins though others of the workspace change whenever it is looked at them again", async () => {
    await nodes.enrol(ada.tenant_id, "free");
    await nodes.heartbeat("free", { version: OLD });
    const { lockMembers } = panel.ctx.tenants;
    const locking = spyOn(panel.ctx.tenants, "lockMembers").mockImplementation(async (tx, tenantId) => {
      await lockMembers(tx, tenantId);
      await tx.run("UPDATE rollouts SET version = version + 1 WHERE id = ?", [id]);
    });
    const body = rolloutInput({ filter: { instance_ids: ["free"] } });
    const begun = await panel.call("POST /api/fleet/rollouts", { token: ada.token, body });
    const tries = locking.mock.calls.length;
    locking.mockRestore();
    expect([begun.status, tries]).toEqual([200, 5]);
  });

  test("of many who do the same at once the first does it, and all others hear that it is so", async () => {
    const guests = await Promise.all([1, 2, 3, 4, 5].map((no) => panel.invite(ada, `guest${no}`, "org_manager")));
    const answers = await Promise.all([...guests, ...guests].map((guest) => change("pause", guest)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    const twice = await Promise.all(["resume", "rollback"].map((kind) => change(kind, ada)));
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    expect((await look())?.state).toBe("rolling_back");
  });
});
