import { beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { askMeanwhile } from "../../../tests/kit/ask-meanwhile.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../tests/kit/sql-databases.ts";
import { until } from "../../../tests/kit/until.ts";
import { kernelFail } from "../../kernel/http/errors.ts";
import { minutes } from "../../lib/duration.ts";
import { lockWorkspace } from "../people/tenants/index.ts";
import { narrow, openTenant, type SystemTx } from "./tenant-db.ts";

onEachEngine("changes of somebody whose access ends meanwhile", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let ada: Person;
  let pal: Person;
  let count = 0;

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    ada = await panel.join("ada");
    pal = await panel.invite(ada, "pal", "org_viewer");
  });
  beforeEach(async () => {
    await panel.system.run("UPDATE members SET role = 'org_viewer' WHERE id = ?", [pal.member_id]);
    await panel.system.run("UPDATE tenants SET name = 'ada' WHERE tenant_id = ?", [ada.tenant_id]);
  });

  const remove = (tx: SystemTx, { member_id }: Person) =>
    tx.run("UPDATE members SET status = 'disabled' WHERE id = ?", [member_id]);
  const turnInto =
    (role: string) =>
    (tx: SystemTx, { member_id }: Person) =>
      tx.run("UPDATE members SET role = ? WHERE id = ?", [role, member_id]);
  const demote = turnInto("org_viewer");
  const endSession = (tx: SystemTx, { member_id }: Person) =>
    tx.run("UPDATE sessions SET ended_at = 1 WHERE member_id = ?", [member_id]);

  /** Asks for something after the guard, while another transaction holds the workspace and takes something from somebody. */
  const ask = (
    { token, member_id }: Person,
    route: string,
    body: unknown,
    take: (tx: SystemTx) => Promise<unknown>,
    ended = member_id,
  ) =>
    askMeanwhile(panel, { lock: (tx) => lockWorkspace(narrow(tx, ada.tenant_id)), take, ended }, () =>
      panel.call(route, { token, body }),
    );

  const roleOfPal = async () =>
    (await panel.system.get<{ role: string }>("SELECT role FROM members WHERE id = ?", [pal.member_id]))?.role;

  test.each([
    ["a member who is removed", remove, 401, "unauthorized"],
    ["a member with a lower role", demote, 403, "permission_missing"],
    ["a session that ends", endSession, 401, "unauthorized"],
  ])("nothing stays of what %s asked for before", async (_who, take, status, code) => {
    const guest = await panel.invite(ada, `guest${++count}`, "org_admin");
    const body = { role: "org_manager" };
    const late = await ask(guest, `PUT /api/team/members/${pal.member_id}/role`, body, (tx) => take(tx, guest));
    expect([late.status, late.body.code, await roleOfPal()]).toEqual([status, code, "org_viewer"]);
  });

  test("a token that runs out while a change of its bearer waits is no end; a session that ends besides is", async () => {
    const change = async (take: (tx: SystemTx, guest: Person) => Promise<unknown>) => {
      const guest = await panel.invite(ada, `guest${++count}`, "org_admin");
      const meanwhile = {
        lock: (tx: SystemTx) => lockWorkspace(narrow(tx, ada.tenant_id)),
        take: (tx: SystemTx) => take(tx, guest),
        ended: guest.member_id,
        whileLetIn: () => panel.clock.jump(minutes(16)),
      };
      const late = await askMeanwhile(panel, meanwhile, () =>
        panel.call(`PUT /api/team/members/${pal.member_id}/role`, {
          token: guest.token,
          body: { role: "org_manager" },
        }),
      );
      return [late.status, late.body.code, await roleOfPal()];
    };
    expect(await change(endSession)).toEqual([401, "unauthorized", "org_viewer"]);
    expect(await change(async () => {})).toEqual([200, undefined, "org_manager"]);
    ada = { ...ada, token: await panel.signIn(ada) };
  });

  test("what is undone after it was long under way counts as many refusals, so that nobody has it undone without end", async () => {
    const guest = await panel.invite(ada, `guest${++count}`, "org_owner");
    const route = `PUT /api/team/members/${pal.member_id}/role`;
    const undo = async (seconds: number) => {
      await panel.system.tx((tx) => turnInto("org_owner")(tx, guest));
      const meanwhile = {
        lock: (tx: SystemTx) => lockWorkspace(narrow(tx, ada.tenant_id)),
        take: (tx: SystemTx) => turnInto("org_admin")(tx, guest),
        ended: guest.member_id,
        whileLetIn: () => panel.clock.advance(seconds * 1_000),
      };
      const late = await askMeanwhile(panel, meanwhile, () =>
        panel.call(route, { token: guest.token, body: { role: "org_manager" } }),
      );
      return [late.status, late.body.code];
    };
    const next = async () => (await panel.call(route, { token: guest.token, body: { role: "org_viewer" } })).status;
    expect(await undo(0)).toEqual([409, "role_changed"]);
    expect(await next()).toBe(200);
    for (const _ of [1, 2]) expect(await undo(6)).toEqual([409, "role_changed"]);
    expect(await next()).toBe(429);
    await panel.clock.advance(minutes(5));
    guest.token = await panel.signIn(guest);
    expect(await next()).toBe(200);
  });

  test("who has a lesser role that would do as well asks again, as more than the route may have been decided by it", async () => {
    const route = `PUT /api/team/members/${pal.member_id}/role`;
    const change = async (role: string, later: string) => {
      const guest = await panel.invite(ada, `guest${++count}`, role);
      const late = await ask(guest, route, { role: "org_manager" }, (tx) => turnInto(later)(tx, guest));
      return [late.status, late.body.code, await roleOfPal()];
    };
    expect(await change("org_owner", "org_admin")).toEqual([409, "role_changed", "org_viewer"]);
    expect(await change("org_admin", "org_owner")).toEqual([200, undefined, "org_manager"]);
  });

  test("nor of what reaches beyond the workspace", async () => {
    const guest = await panel.invite(ada, `guest${++count}`, "org_admin");
    const late = await ask(guest, `PATCH /api/workspaces/${ada.tenant_id}`, { name: "Late" }, (tx) =>
      remove(tx, guest),
    );
    expect(late.status).toBe(401);
    const found = await panel.system.get("SELECT name FROM tenants WHERE tenant_id = ?", [ada.tenant_id]);
    expect(found).toEqual({ name: "ada" });
  });

  // On SQLite nobody waits to read.
  if (engine === "postgres")
    test("what an account reads does not keep others from the rows that its change holds", async () => {
      const guest = await panel.invite(ada, `guest${++count}`, "org_admin");
      const { account_id } = (await panel.ctx.tenants.findMembership(ada.tenant_id, guest.member_id)) ?? {};
      const reading = panel.db.scoped({}, [ada.tenant_id, account_id ?? ""]);
      const letIn = spyOn(panel.ctx.tenants, "findMembership");
      const { promise: held, resolve: hold } = Promise.withResolvers<void>();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const holding = panel.system.tx(async (tx) => {
        await lockWorkspace(narrow(tx, ada.tenant_id));
        panel.ctx.accessEnds.ended(tx, "somebody");
        hold();
        await released;
      });
      await held;
      const route = `PUT /api/team/members/${pal.member_id}/role`;
      const late = panel.call(route, { token: guest.token, body: { role: "org_manager" } });
      await until(() => letIn.mock.results[0]?.value, { everyMs: 1, what: "the guard" });
      await letIn.mock.results[0]?.value;
      letIn.mockRestore();
      let done = 0;
      const reads = Array.from({ length: 40 }, () =>
        reading.all("SELECT pg_sleep(0.2)::text AS slept").then(() => (done += 1)),
      );
      release();
      await holding;
      // As others see it, whose rows it lets go of then.
      await until(async () => (await roleOfPal()) === "org_manager", { everyMs: 5, what: "the change" });
      expect(done).toBeLessThan(40);
      expect((await late).status).toBe(200);
      await Promise.all(reads);
    });

  test("what others lost keeps nobody from their changes, and somebody may end their own access", async () => {
    const guest = await panel.invite(ada, `guest${++count}`, "org_admin");
    const route = `PUT /api/team/members/${pal.member_id}/role`;
    const nothing = async () => {};
    expect((await ask(guest, route, { role: "org_manager" }, nothing, "somebody")).status).toBe(200);
    expect(await roleOfPal()).toBe("org_manager");
    const leave = `POST /api/workspaces/${ada.tenant_id}/leave`;
    expect((await ask(guest, leave, undefined, nothing, "somebody")).status).toBe(200);
  });

  test("what takes something away between the work of a transaction and its end undoes it", async () => {
    const db = panel.tenant(ada.tenant_id);
    let stands = true;
    const mine = openTenant(panel.db, ada.tenant_id, "", async () => {
      if (!stands) throw new Error("it has ended");
    });
    const rename = (of: typeof mine) =>
      of.tx(async (tx) => {
        await tx.run("UPDATE tenants SET name = 'Late' WHERE tenant_id = :tenant");
        stands = false;
      });
    expect(await rename(mine).catch(String)).toContain("it has ended");
    expect(await db.get("SELECT name FROM tenants WHERE tenant_id = :tenant")).toEqual({ name: "ada" });
    const refused = mine.tx(async () => {
      throw kernelFail("not_found");
    });
    expect(await refused.catch(String)).toContain("it has ended");
    await rename(mine.forRecord());
    expect(await db.get("SELECT name FROM tenants WHERE tenant_id = :tenant")).toEqual({ name: "Late" });
  });
});
