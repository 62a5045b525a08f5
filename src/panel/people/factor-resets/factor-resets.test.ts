import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { hours } from "../../../lib/duration.ts";

onEachEngine("factor resets", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let owner: Person;
  let admin: Person;
  let bob: Person;
  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), {
      ...{ smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "https://panel.example" },
    });
    owner = await panel.join("owner");
    admin = await only(await panel.invite(owner, "admin", "org_admin"));
    bob = await only(await panel.invite(owner, "bob", "org_viewer"));
    await giveKey(bob);
  });

  /** Somebody who came by an invitation is in no other workspace. */
  const only = async (person: Person): Promise<Person> => {
    await panel.system.run("DELETE FROM members WHERE account_id = ? AND tenant_id <> ?", [
      ...[person.account_id, person.tenant_id],
    ]);
    return person;
  };
  const giveKey = async ({ account_id }: Person) => {
    await panel.system.run(
      `INSERT INTO security_keys (account_id, id, name, credential_id, public_key, counter, transports, rp_id, created_at)
       VALUES (?, ?, 'Key', ?, '', 0, '[]', 'localhost', 0)`,
      [account_id, `key_${account_id}`, account_id],
    );
    await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [account_id]);
  };
  const begin = (by: Person, { member_id }: Person) =>
    panel.call(`POST /api/team/members/${member_id}/factor-reset`, { token: by.token });
  const stop = (by: Person, { member_id }: Person) =>
    panel.call(`DELETE /api/team/members/${member_id}/factor-reset`, { token: by.token });
  const keysOf = ({ account_id }: Person) =>
    panel.system.all("SELECT id FROM security_keys WHERE account_id = ?", [account_id]);
  /** The clock goes on with nobody signed in, whose tokens would run out. */
  const aDayLater = async (): Promise<void> => {
    await panel.clock.advance(hours(24));
    await panel.runJob("factor-resets.apply");
  };
  const titles = async (who: Person) => {
    const { body } = await panel.call("GET /api/notifications", { token: await panel.signIn(who) });
    return body.notifications.map(({ title, link }: { title: string; link: string }) => `${title} ${link}`);
  };
  const letters = async () => {
    const rows = await panel.system.all<{ address: string; facts: string }>(
      "SELECT address, facts FROM mail_queue WHERE kind = 'team.factor_reset' ORDER BY id",
    );
    return rows.map(({ address, facts }) => `${JSON.parse(facts).told} ${address}`);
  };
  const actions = async () =>
    (await panel.system.all<{ action: string }>("SELECT action FROM audit_entries ORDER BY id")).map(
      (row) => row.action,
    );

  test("takes effect after a day, ends the sessions, and is told to the member and every owner", async () => {
    const begun = await begin(admin, bob);
    expect([begun.status, begun.body]).toEqual([
      202,
      {
        member_id: bob.member_id,
        effective_at: new Date(panel.clock.now() + hours(24)).toISOString(),
        by_mail: true,
      },
    ]);
    expect((await panel.call("GET /api/team/factor-resets", { token: owner.token })).body.resets).toMatchObject([
      { member_id: bob.member_id, display_name: "bob", asked_by: "admin" },
    ]);
    expect((await panel.call("GET /api/auth/factor-resets", { token: bob.token })).body.resets).toMatchObject([
      { workspace: "owner", asked_by: "admin" },
    ]);
    expect((await begin(owner, bob)).body.code).toBe("reset_under_way");
    await panel.clock.advance(hours(24) - 1);
    await panel.runJob("factor-resets.apply");
    expect((await keysOf(bob)).length).toBe(1);
    const session = await panel.signIn(bob);
    await panel.clock.advance(1);
    await panel.runJob("factor-resets.apply");
    expect(await keysOf(bob)).toEqual([]);
    expect((await panel.call("GET /api/auth/me", { token: session })).status).toBe(401);
    await panel.runJob("factor-resets.apply");
    expect((await actions()).filter((action) => action.startsWith("team."))).toEqual([
      "team.factor_reset",
      "team.factor_reset_done",
    ]);
    expect(await titles(owner)).toEqual([
      "Second factors of bob were removed /team",
      "Second factors of bob are about to be removed /team",
    ]);
    expect(await titles(bob)).toEqual([
      "Second factors of bob were removed /security",
      "Second factors of bob are about to be removed /security",
    ]);
    expect(await letters()).toEqual([
      `begun ${bob.email}`,
      `begun ${owner.email}`,
      `done ${bob.email}`,
      `done ${owner.email}`,
    ]);
    const kind = panel.ctx.lists.letters.all().find((each) => each.kind === "team.factor_reset");
    const [row] = await panel.system.all<{ facts: string }>(
      "SELECT facts FROM mail_queue WHERE kind = 'team.factor_reset' ORDER BY id LIMIT 1",
    );
    const letter = await kind?.write(bob.email, JSON.parse(row?.facts ?? "{}"));
    expect(letter?.subject).toBe("owner: Your second factors are about to be removed");
    expect(letter?.paragraphs[0]).toContain("admin of owner has asked");
    expect(letter?.action?.url).toBe("https://panel.example/security");
  });

  test("the member stops it, or somebody who manages the team", async () => {
    await begin(admin, bob);
    expect((await panel.call("DELETE /api/auth/factor-resets", { token: bob.token })).body).toEqual({
      status: "stopped",
      count: 1,
    });
    expect((await stop(owner, bob)).body.code).toBe("reset_not_found");
    await begin(admin, bob);
    expect((await stop(owner, bob)).status).toBe(200);
    await aDayLater();
    expect((await keysOf(bob)).length).toBe(1);
    expect((await actions()).filter((action) => action === "team.factor_reset_stop").length).toBe(2);
  });

  test("of one member it begins a few times an hour, so that nobody fills mailboxes with it", async () => {
    for (let time = 0; time < 5; time++) {
      expect((await begin(admin, bob)).status).toBe(202);
      expect((await stop(admin, bob)).status).toBe(200);
    }
    const refused = await begin(owner, bob);
    expect([refused.status, refused.body.code]).toEqual([429, "too_many_requests"]);
    await panel.clock.advance(hours(1));
    expect((await begin({ ...admin, token: await panel.signIn(admin) }, bob)).status).toBe(202);
  });

  test("asks for a fresh proof, and for the right to manage the team", async () => {
    const viewer = await only(await panel.invite(owner, "viewer", "org_viewer"));
    expect((await begin(viewer, bob)).body.code).toBe("permission_missing");
    await panel.clock.advance(14 * 60_000);
    const stale = (await panel.call("POST /api/auth/refresh", { token: owner.token })).body.token;
    await panel.clock.advance(60_000);
    const asked = await begin({ ...owner, token: stale }, bob);
    expect([asked.status, asked.body.code]).toEqual([403, "step_up_required"]);
  });

  test("nobody resets their own, an owner's without being one, those of staff, or what is not there", async () => {
    await giveKey(owner);
    await giveKey(admin);
    expect((await begin(owner, owner)).body).toMatchObject({ error: "own_factor" });
    expect((await begin(admin, owner)).body.code).toBe("reset_owner_required");
    const bare = await only(await panel.invite(owner, "bare", "org_viewer"));
    expect((await begin(owner, bare)).body.code).toBe("reset_without_factor");
    expect((await begin(owner, { ...bob, member_id: "mem_none" })).status).toBe(404);
    await panel.system.run("UPDATE accounts SET global_role = 'admin' WHERE id = ?", [bob.account_id]);
    expect((await begin(owner, bob)).body.error).toBe("other_workspace");
  });

  test("never weakens another workspace, also when it is joined meanwhile", async () => {
    const other = await panel.join("other");
    const enter = () =>
      panel.system.run("INSERT INTO members (tenant_id, id, account_id, role, created_at) VALUES (?, ?, ?, ?, 0)", [
        ...[other.tenant_id, "mem_elsewhere", bob.account_id, "org_viewer"],
      ]);
    await enter();
    expect((await begin(owner, bob)).body).toMatchObject({ error: "other_workspace" });
    await panel.system.run("DELETE FROM members WHERE id = 'mem_elsewhere'");
    expect((await begin(owner, bob)).status).toBe(202);
    await enter();
    await aDayLater();
    expect((await keysOf(bob)).length).toBe(1);
    expect(await titles(owner)).toContain("Second factors of bob stay /team");
  });

  test("falls when who asked for it manages the team no more, or the member is gone", async () => {
    await begin(admin, bob);
    await panel.system.run("UPDATE members SET role = 'org_viewer' WHERE id = ?", [admin.member_id]);
    await aDayLater();
    expect((await keysOf(bob)).length).toBe(1);
    const fresh = { ...owner, token: await panel.signIn(owner) };
    expect((await begin(fresh, bob)).status).toBe(202);
    expect((await panel.call(`DELETE /api/team/members/${bob.member_id}`, { token: fresh.token })).status).toBe(200);
    await aDayLater();
    expect((await keysOf(bob)).length).toBe(1);
  });

  test("takes nothing off while the workspace is suspended, where the member still sees and stops it", async () => {
    const suspend = (status: string) =>
      panel.system.run("UPDATE tenants SET status = ? WHERE tenant_id = ?", [status, owner.tenant_id]);
    await begin(admin, bob);
    await suspend("suspended");
    const own = async (method: string) => {
      const { status, body } = await panel.call(`${method} /api/auth/factor-resets`, { token: bob.token });
      return [status, body.count ?? body.resets?.length];
    };
    expect([await own("GET"), await own("DELETE")]).toEqual([
      [200, 1],
      [200, 1],
    ]);
    await suspend("active");
    await begin(admin, bob);
    await suspend("suspended");
    await aDayLater();
    expect([(await keysOf(bob)).length, await panel.system.all("SELECT 1 FROM factor_resets")]).toEqual([1, []]);
    await suspend("active");
    expect((await titles(owner))[0]).toBe("Second factors of bob stay /team");
    expect((await letters()).slice(-2)).toEqual([`void ${bob.email}`, `void ${owner.email}`]);
  });
});
