import { beforeAll, expect, test } from "bun:test";
import type { TestPanel } from "../../../../tests/kit/panel-app.ts";
import { useDirectories } from "../../../../tests/kit/scim-directory.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { days } from "../../../lib/duration.ts";

onEachEngine("tokens of a directory", (engine) => {
  const { makeWorld, worlds, panel: ofTest } = useDirectories(engine);
  let panel: TestPanel;
  beforeAll(() => {
    panel = ofTest();
  });

  test("a token is made by who proved who they are, told once, ends with its day, and opens directory routes alone", async () => {
    const { owner, call, scim, tokenId, token } = await makeWorld();
    const { items } = (await call("GET /api/scim/tokens")).body;
    expect(items).toMatchObject([{ id: tokenId, name: "Entra", hint: token.slice(-4) }]);
    expect(JSON.stringify(items)).not.toContain(token);
    for (const path of ["/api/team/members", "/api/scim", "/api/auth/me"])
      expect((await panel.call(`GET ${path}`, { token })).status).toBe(401);
    for (const wrong of ["", "orscim_wrong", owner.token])
      expect((await scim("GET /Users", undefined, wrong || "x")).status).toBe(401);
    expect((await scim("GET /Users")).status).toBe(200);
    await panel.clock.advance(days(365));
    expect((await scim("GET /Users")).status).toBe(401);
  });

  test("who may not write settings makes no token, and without the plan nobody does", async () => {
    const { owner, call, tokenId } = await makeWorld();
    const viewer = await panel.invite(owner, `v_${tokenId}`, "org_viewer");
    expect((await call("POST /api/scim/tokens", { name: "Mine" }, viewer)).body.code).toBe("permission_missing");
    expect((await call(`DELETE /api/scim/tokens/${tokenId}`, undefined, viewer)).body.code).toBe("permission_missing");
    await panel.system.run("UPDATE tenants SET plan = 'free' WHERE tenant_id = ?", [owner.tenant_id]);
    const refused = await call("POST /api/scim/tokens", { name: "More" });
    expect([refused.status, refused.body.params.feature]).toEqual([402, "sso"]);
    expect((await call("GET /api/scim")).body.required_plan).toBe("business");
  });

  test("a token ends an owner's access only where an owner made it, and never moves the staff of the panel", async () => {
    const { owner, host, call, scim, addUser } = await makeWorld();
    const admin = await panel.invite(owner, `adm${worlds()}${engine}`, "org_admin");
    const second = await panel.invite(owner, `own${worlds()}${engine}`, "org_owner");
    const { token } = (await call("POST /api/scim/tokens", { name: "Of an admin" }, admin)).body;
    const off = { Operations: [{ op: "replace", path: "active", value: false }] };
    for (const [route, body] of [
      [`PATCH /Users/${second.member_id}`, off],
      [`DELETE /Users/${second.member_id}`, undefined],
    ] as const) {
      const refused = await scim(route, body, token);
      expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("an owner")]);
    }
    expect((await call("GET /api/auth/me", undefined, second)).status).toBe(200);
    expect((await scim(`PATCH /Users/${second.member_id}`, off)).body.active).toBe(false);
    expect((await call("GET /api/auth/me", undefined, second)).status).toBe(401);
    const ida = await addUser("ida");
    await panel.system.run(
      "UPDATE accounts SET global_role = 'admin' WHERE id = (SELECT account_id FROM members WHERE id = ?)",
      [ida.id],
    );
    await scim(`PATCH /Users/${ida.id}`, {
      Operations: [{ op: "replace", value: { userName: `eve@${host}`, emails: [{ value: `eve@${host}` }] } }],
    });
    const { body } = await call("GET /api/team/members");
    expect(body.find(({ id }: { id: string }) => id === ida.id).email).toBe(`ida@${host}`);
  });

  test("a token is refused while its maker may not have one, told once, and gives nobody more than they may give", async () => {
    const { owner, call, scim, addUser, roleOf } = await makeWorld();
    const admin = await panel.invite(owner, `mak${worlds()}${engine}`, "org_admin");
    const { token, id } = (await call("POST /api/scim/tokens", { name: "Okta" }, admin)).body;
    const admins = (await scim("POST /Groups", { displayName: "Admins" }, token)).body;
    await call(`PUT /api/scim/groups/${admins.id}`, { role: "org_admin" }, admin);
    const become = (role: string) => call(`PUT /api/team/members/${admin.member_id}/role`, { role });
    await become("org_viewer");
    const myself = { Operations: [{ op: "add", path: "members", value: [{ value: admin.member_id }] }] };
    const refused = await scim(`PATCH /Groups/${admins.id}`, myself, token);
    expect([refused.status, refused.body.code, await roleOf(admin.member_id)]).toEqual([
      ...[403, "scim_token_paused", "org_viewer"],
    ]);
    // Directories show what stands there as RFC 7644 has it.
    expect((await scim("GET /Users", undefined, token)).body).toMatchObject({
      ...{ code: "scim_token_paused", schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "403" },
      detail: expect.stringContaining("The token Okta is paused"),
    });
    const tokenNow = async () =>
      (await call("GET /api/scim/tokens")).body.items.find((one: { id: string }) => one.id === id);
    const told = async () =>
      (await call("GET /api/notifications")).body.notifications.filter(
        ({ kind }: { kind: string }) => kind === "scim.token_paused",
      ).length;
    expect([(await tokenNow()).paused, await told()]).toEqual([true, 1]);
    await become("org_admin");
    expect([(await scim("GET /Users", undefined, token)).status, (await tokenNow()).paused]).toEqual([200, false]);
    await call(`DELETE /api/team/members/${admin.member_id}`);
    const off = { Operations: [{ op: "replace", path: "active", value: false }] };
    for (const [route, body] of [
      ["POST /Users", { userName: "eve@elsewhere.example" }],
      [`PATCH /Users/${owner.member_id}`, off],
    ] as const)
      expect((await scim(route, body, token)).body.code).toBe("scim_token_paused");
    expect(await told()).toBe(2);
    const another = await panel.invite(owner, `oth${worlds()}${engine}`, "org_admin");
    const viewer = await panel.invite(owner, `vie${worlds()}${engine}`, "org_viewer");
    expect((await call(`POST /api/scim/tokens/${id}/take-over`, undefined, viewer)).status).toBe(403);
    const taken = await call(`POST /api/scim/tokens/${id}/take-over`, undefined, another);
    expect(taken.body).toMatchObject({ id, paused: false });
    const ida = await addUser("ida");
    const her = { Operations: [{ op: "add", path: "members", value: [{ value: ida.id }] }] };
    expect((await scim(`PATCH /Groups/${admins.id}`, her, token)).status).toBe(200);
    expect(await roleOf(ida.id)).toBe("org_admin");
    const log = (await call("GET /api/audit/logs?limit=50")).body.entries.map(
      ({ action }: { action: string }) => action,
    );
    expect(log.filter((action: string) => /token_(pause|take)/.test(action))).toEqual([
      ...["scim.token_take_over", "scim.token_pause", "scim.token_pause"],
    ]);
  });

  test("a token of before its maker was kept goes on, but makes no admins and brings no owners back", async () => {
    const { owner, call, scim, addUser, roleOf, tokenId } = await makeWorld();
    const second = await panel.invite(owner, `sec${worlds()}${engine}`, "org_owner");
    const set = (active: boolean) => ({ Operations: [{ op: "replace", path: "active", value: active }] });
    expect((await scim(`PATCH /Users/${second.member_id}`, set(false))).status).toBe(200);
    await panel.system.run("UPDATE scim_tokens SET made_by = NULL WHERE id = ?", [tokenId]);
    const ida = await addUser("ida");
    const admins = (await scim("POST /Groups", { displayName: "Admins" })).body;
    await call(`PUT /api/scim/groups/${admins.id}`, { role: "org_admin" });
    await scim(`PATCH /Groups/${admins.id}`, {
      Operations: [{ op: "add", path: "members", value: [{ value: ida.id }] }],
    });
    expect(await roleOf(ida.id)).toBe("org_manager");
    expect((await scim(`PATCH /Users/${second.member_id}`, set(true))).status).toBe(403);
    expect((await call("GET /api/scim/tokens")).body.items).toMatchObject([{ paused: false, is_answered_for: false }]);
    await call(`POST /api/scim/tokens/${tokenId}/take-over`);
    expect((await scim(`PATCH /Users/${second.member_id}`, set(true))).body.active).toBe(true);
    await scim(`PUT /Groups/${admins.id}`, { displayName: "Admins", members: [] });
    await scim(`PUT /Groups/${admins.id}`, { displayName: "Admins", members: [{ value: ida.id }] });
    expect(await roleOf(ida.id)).toBe("org_admin");
  });
});
