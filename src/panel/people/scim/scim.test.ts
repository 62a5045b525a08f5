import { beforeAll, expect, spyOn, test } from "bun:test";
import type { TestPanel } from "../../../../tests/kit/panel-app.ts";
import { SCIM_PATCH, SCIM_USER, useDirectories } from "../../../../tests/kit/scim-directory.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("a directory", (engine) => {
  const { makeWorld, worlds, panel: ofTest } = useDirectories(engine);
  let panel: TestPanel;
  beforeAll(() => {
    panel = ofTest();
  });

  test("answers have the media type of SCIM, and what was made says where it is", async () => {
    const { scim } = await makeWorld();
    const made = await scim("POST /Groups", { displayName: "Staff" });
    expect([made.status, made.headers.get("location")]).toEqual([201, made.body.meta.location]);
    for (const { headers } of [made, await scim("GET /Groups")])
      expect(headers.get("content-type")).toStartWith("application/scim+json");
  });

  test("somebody is brought in, found, changed, turned off with every session, and brought back", async () => {
    const { owner, host, call, scim, addUser } = await makeWorld();
    const ida = await addUser("ida");
    expect(ida).toMatchObject({
      ...{ userName: `ida@${host}`, externalId: "ext-ida", displayName: "ida Test", active: true, groups: [] },
      meta: { location: `http://localhost/scim/v2/Users/${ida.id}` },
    });
    const again = await scim("POST /Users", { userName: `IDA@${host}` });
    expect([again.status, again.body.scimType, again.body.status]).toEqual([409, "uniqueness", "409"]);
    for (const filter of [
      `userName eq "IDA@${host}"`,
      'externalId eq "ext-ida"',
      `emails[type eq "work" and value sw "ida@"]`,
    ])
      expect((await scim(`GET /Users?filter=${encodeURIComponent(filter)}`)).body).toMatchObject({
        ...{ totalResults: 1, itemsPerPage: 1, Resources: [{ id: ida.id }] },
      });
    const member = await panel.ctx.tenants.findMembership(owner.tenant_id, ida.id);
    if (!member) throw new Error("there is no such member");
    const begin = async () => {
      const { system, sessions } = panel.ctx;
      const id = await system.tx((tx) => sessions.startSession(tx, member, { ip: "127.0.0.1" }));
      return (await sessions.loginBody(id, member)).token;
    };
    const open = await begin();
    expect((await panel.call("GET /api/team/members", { token: open })).status).toBe(200);
    // As Entra writes it.
    const off = { schemas: [SCIM_PATCH], Operations: [{ op: "Replace", path: "active", value: "False" }] };
    expect((await scim(`PATCH /Users/${ida.id}`, off)).body.active).toBe(false);
    expect((await panel.call("GET /api/team/members", { token: open })).status).toBe(401);
    // As Okta writes it.
    const on = {
      schemas: [SCIM_PATCH],
      Operations: [{ op: "replace", value: { active: true, displayName: "Ida L." } }],
    };
    expect((await scim(`PATCH /Users/${ida.id}`, on)).body).toMatchObject({ active: true, displayName: "Ida L." });
    expect((await panel.call("GET /api/team/members", { token: open })).status).toBe(401);
    expect((await panel.call("GET /api/team/members", { token: await begin() })).status).toBe(200);
    const moved = { userName: `ida.l@${host}`, displayName: "Ida L.", active: true };
    expect((await scim(`PUT /Users/${ida.id}`, moved)).body.emails[0].value).toBe(`ida.l@${host}`);
    expect((await call("GET /api/team/members")).body).toContainEqual(
      expect.objectContaining({ id: ida.id, email: `ida.l@${host}`, display_name: "Ida L." }),
    );
    expect((await scim(`DELETE /Users/${ida.id}`)).status).toBe(204);
    expect((await scim(`GET /Users/${ida.id}`)).status).toBe(404);
    expect((await addUser("ida.l")).id).toBe(ida.id);
    const log = (await call("GET /api/audit/logs?limit=20")).body.entries;
    const told = log.filter(({ actor }: { actor: { kind: string } }) => actor.kind === "directory");
    expect(told.map(({ action }: { action: string }) => action)).toEqual([
      "scim.user_add",
      "scim.user_off",
      ...["scim.user_change", "scim.user_on", "scim.user_change", "scim.user_off", "scim.user_add"],
    ]);
  });

  test("groups make roles: the most of them counts, owners are left alone, and what they gave goes with them", async () => {
    const { owner, call, scim, addUser, roleOf } = await makeWorld();
    const [ida, bo] = [await addUser("ida"), await addUser("bo")];
    expect(await roleOf(ida.id)).toBe("org_viewer");
    const members = [{ value: ida.id }, { value: owner.member_id }];
    const ops = (await scim("POST /Groups", { displayName: "Ops", members })).body;
    const admins = (await scim("POST /Groups", { displayName: "Admins" })).body;
    expect((await scim("POST /Groups", { displayName: "ops" })).body.scimType).toBe("uniqueness");
    expect((await call(`PUT /api/scim/groups/${ops.id}`, { role: "org_manager" })).body).toMatchObject({ members: 2 });
    await call(`PUT /api/scim/groups/${admins.id}`, { role: "org_admin" });
    expect((await call(`PUT /api/scim/groups/${admins.id}`, { role: "org_owner" })).status).toBe(400);
    expect([await roleOf(ida.id), await roleOf(bo.id), await roleOf(owner.member_id)]).toEqual([
      ...["org_manager", "org_viewer", "org_owner"],
    ]);
    const add = (value: unknown) => ({ Operations: [{ op: "Add", path: "members", value }] });
    await scim(`PATCH /Groups/${admins.id}`, add([{ value: ida.id }, { value: bo.id }]));
    expect([await roleOf(ida.id), await roleOf(bo.id)]).toEqual(["org_admin", "org_admin"]);
    await scim(`PATCH /Groups/${admins.id}`, { Operations: [{ op: "remove", path: `members[value eq "${ida.id}"]` }] });
    expect([await roleOf(ida.id), await roleOf(bo.id)]).toEqual(["org_manager", "org_admin"]);
    await scim(`PATCH /Groups/${admins.id}`, {
      Operations: [{ op: "remove", path: "members", value: [{ value: bo.id }] }],
    });
    expect(await roleOf(bo.id)).toBe("org_viewer");
    // What was given by hand stays where no group says anything.
    await call(`PUT /api/team/members/${bo.id}/role`, { role: "org_teacher" });
    await scim(`PATCH /Groups/${admins.id}`, { Operations: [{ op: "replace", value: { displayName: "Bosses" } }] });
    expect(await roleOf(bo.id)).toBe("org_teacher");
    expect((await scim(`GET /Users/${ida.id}`)).body.groups).toEqual([{ value: ops.id, display: "Ops" }]);
    expect((await scim("GET /Groups?excludedAttributes=members")).body.Resources[1].members).toBeUndefined();
    const unknown = await scim(`PATCH /Groups/${ops.id}`, add([{ value: "mem_nobody" }]));
    expect([unknown.status, unknown.body.scimType]).toEqual([400, "invalidValue"]);
    expect((await scim(`DELETE /Groups/${ops.id}`)).status).toBe(204);
    expect(await roleOf(ida.id)).toBe("org_viewer");
  });

  test("it brings nobody of a domain that is not proven, nobody back whom a person removed, and takes no last owner", async () => {
    const { owner, host, call, scim, addUser } = await makeWorld();
    const foreign = await scim("POST /Users", { userName: "eve@elsewhere.example" });
    expect([foreign.status, foreign.body.detail]).toEqual([
      403,
      expect.stringContaining("elsewhere.example is not proven"),
    ]);
    const ida = await addUser("ida");
    await panel.system.run("UPDATE members SET last_active_at = 1 WHERE id = ?", [ida.id]);
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE id = ?", [ida.id]);
    expect((await scim(`GET /Users/${ida.id}`)).body.active).toBe(false);
    const on = { Operations: [{ op: "replace", path: "active", value: true }] };
    expect((await scim(`PATCH /Users/${ida.id}`, on)).body.scimType).toBe("mutability");
    expect((await scim(`DELETE /Users/${ida.id}`)).status).toBe(403);
    const back = await scim("POST /Users", { userName: `ida@${host}` });
    expect([back.status, (await call("GET /api/team/members?active_only=true")).body.length]).toEqual([409, 1]);
    const off = { Operations: [{ op: "replace", path: "active", value: false }] };
    const last = await scim(`PATCH /Users/${owner.member_id}`, off);
    expect([last.status, last.body.detail]).toEqual([403, expect.stringContaining("last owner")]);
    expect((await call("GET /api/team/members")).status).toBe(200);
  });

  test("it holds no account of an address that is not its own, and that of a member wherever it is", async () => {
    const { owner, scim } = await makeWorld();
    const guest = await panel.join(`guest${worlds()}`);
    const ada = await panel.invite(owner, `ada${worlds()}${engine}`, "org_viewer");
    const hold = spyOn(panel.ctx.tenants, "lockAccount");
    expect((await scim("POST /Users", { userName: guest.email })).status).toBe(403);
    expect(hold.mock.calls.map(([, account]) => account)).not.toContain(guest.account_id);
    expect((await scim("POST /Users", { userName: ada.email })).status).toBe(409);
    expect(hold.mock.calls.map(([, account]) => account)).toContain(ada.account_id);
    hold.mockRestore();
  });

  test("a member whose address the directory calls somebody else by is told of, and nothing breaks", async () => {
    const { owner, scim, addUser } = await makeWorld();
    const ada = await panel.invite(owner, `twin${worlds()}${engine}`, "org_viewer");
    const bo = await addUser("bo");
    expect((await scim(`PUT /Users/${bo.id}`, { userName: ada.email, emails: bo.emails })).status).toBe(409);
    // It was called so before the member came.
    await panel.system.run("UPDATE scim_users SET user_name = ?, user_key = ? WHERE member_id = ?", [
      ...[ada.email, ada.email, bo.id],
    ]);
    const members = [{ value: ada.member_id }];
    for (const [route, body] of [
      ["POST /Groups", { displayName: "All", members }],
      [`DELETE /Users/${ada.member_id}`, undefined],
    ] as const) {
      const refused = await scim(route, body);
      expect([refused.status, refused.body.scimType]).toEqual([409, "uniqueness"]);
    }
  });

  // A hundred thousand rows: what they are counted by is the same on both.
  if (engine === "sqlite")
    test("groups hold so many members in all, and one more is told of", async () => {
      const { owner, scim, addUser } = await makeWorld();
      const ida = await addUser("ida");
      const { id } = (await scim("POST /Groups", { displayName: "Last" })).body;
      await panel.system.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
       INSERT INTO scim_groups (tenant_id, id, display_name, display_key, created_at, updated_at)
       SELECT CAST(? AS TEXT), CAST(? AS TEXT) || i, 'g' || i, 'g' || i, 0, 0 FROM n`,
        [owner.tenant_id, `dgr_${id}_`],
      );
      await panel.system.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
       INSERT INTO accounts (id, email, display_name, password_hash, created_at)
       SELECT CAST(? AS TEXT) || i, CAST(? AS TEXT) || i || '@many.example', 'x', '', 0 FROM n`,
        [`acc_${id}_`, `a${worlds()}${engine}`],
      );
      await panel.system.run(
        "INSERT INTO members (tenant_id, id, account_id, role, created_at) SELECT CAST(? AS TEXT), id, id, 'org_viewer', 0 FROM accounts WHERE email LIKE ?",
        [owner.tenant_id, `a${worlds()}${engine}%@many.example`],
      );
      await panel.system.run(
        `INSERT INTO scim_group_members (tenant_id, group_id, member_id)
       SELECT g.tenant_id, g.id, m.id FROM scim_groups g JOIN members m ON m.tenant_id = g.tenant_id AND m.id LIKE 'acc_dgr%'
       WHERE g.tenant_id = ? AND g.id LIKE 'dgr_dgr%'`,
        [owner.tenant_id],
      );
      const [{ count: held } = { count: 0 }] = await panel.system.all<{ count: number }>(
        "SELECT count(*) AS count FROM scim_group_members WHERE tenant_id = ?",
        [owner.tenant_id],
      );
      expect(Number(held)).toBe(100_000);
      const add = { Operations: [{ op: "add", path: "members", value: [{ value: ida.id }] }] };
      const refused = await scim(`PATCH /Groups/${id}`, add);
      expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("100000")]);
      expect((await scim(`GET /Groups/${id}`)).body.members).toEqual([]);
    });

  test("characters that no database takes are refused, not tripped over", async () => {
    const { scim } = await makeWorld();
    for (const odd of ["a\\u0000b", "a\\ud800b"])
      for (const [path, name] of [
        ["Users", "userName"],
        ["Users", "id"],
        ["Users", "externalId"],
        ["Groups", "displayName"],
      ])
        expect((await scim(`GET /${path}?filter=${encodeURIComponent(`${name} eq "${odd}"`)}`)).status).toBe(400);
    for (const value of ["a\u0000b", "a\ud800b"])
      expect((await scim("POST /Groups", { displayName: "Odd", members: [{ value }] })).status).toBe(400);
  });

  test("an account that was there before keeps its name and address, and the password of nobody changes", async () => {
    const { host, scim } = await makeWorld();
    const other = await panel.join(`old${worlds()}`);
    await panel.system.run(
      "UPDATE accounts SET email = ?, display_name = 'Own Name', email_verified = 1 WHERE id = ?",
      [`old@${host}`, other.account_id],
    );
    const before = await panel.system.get("SELECT * FROM accounts WHERE id = ?", [other.account_id]);
    const made = (await scim("POST /Users", { userName: `old@${host}`, displayName: "Other" })).body;
    expect((await scim(`PUT /Users/${made.id}`, { userName: `new@${host}`, displayName: "Third" })).status).toBe(200);
    expect(await panel.system.get("SELECT * FROM accounts WHERE id = ?", [other.account_id])).toEqual(before);
  });

  test("whoever registered with somebody else's address, and never proved it, gives it up to whom the directory names", async () => {
    const { owner, host, call, scim } = await makeWorld();
    const stranger = await panel.join(`stranger${worlds()}${engine}`);
    await panel.system.run("UPDATE accounts SET email = ? WHERE id = ?", [`ceo@${host}`, stranger.account_id]);
    await panel.system.run("UPDATE accounts SET global_role = 'admin' WHERE id = ?", [stranger.account_id]);
    expect((await scim("POST /Users", { userName: `ceo@${host}` })).status).toBe(403);
    await panel.system.run("UPDATE accounts SET global_role = NULL WHERE id = ?", [stranger.account_id]);
    const made = await scim("POST /Users", { userName: `ceo@${host}` });
    expect(made.status).toBe(201);
    const holder = await panel.system.get<{ id: string }>("SELECT id FROM accounts WHERE email = ?", [`ceo@${host}`]);
    expect(holder?.id).not.toBe(stranger.account_id);
    const { workspaces } = (await call("GET /api/workspaces", undefined, stranger)).body;
    expect(workspaces.map(({ id }: { id: string }) => id)).toEqual([stranger.tenant_id]);
    expect((await call(`POST /api/workspaces/${owner.tenant_id}/switch`, undefined, stranger)).status).not.toBe(200);
  });

  test("an account that proved its address is let in by the directory as it is", async () => {
    const { owner, host, call, addUser } = await makeWorld();
    const known = await panel.join(`known${worlds()}${engine}`);
    const sql = "UPDATE accounts SET email = ?, email_verified = 1 WHERE id = ?";
    await panel.system.run(sql, [`cfo@${host}`, known.account_id]);
    expect((await addUser("cfo")).userName).toBe(`cfo@${host}`);
    expect((await call(`POST /api/workspaces/${owner.tenant_id}/switch`, undefined, known)).status).toBe(200);
  });

  test("no directory reaches another workspace, whatever id it names", async () => {
    const [mine, theirs] = [await makeWorld(), await makeWorld()];
    const user = await theirs.addUser("ida");
    const group = (await theirs.scim("POST /Groups", { displayName: "Ops", members: [{ value: user.id }] })).body;
    const rows = async () =>
      [await theirs.scim("GET /Users"), await theirs.scim("GET /Groups")].map(({ body }) => body);
    const before = await rows();
    const body = {
      userName: `x@${mine.host}`,
      displayName: "X",
      Operations: [{ op: "replace", path: "active", value: false }],
    };
    for (const route of panel.routes.filter(({ rule }) => rule.kind === "directory")) {
      for (const id of [user.id, group.id, theirs.tokenId]) {
        const path = route.path.replace("/scim/v2", "").replace(/\{\w+\}/, id);
        const { status, body: told } = await mine.scim(
          `${route.method} ${path}`,
          ["GET", "DELETE"].includes(route.method) ? undefined : body,
        );
        if (path.includes(id)) expect([route.method, path, status]).toEqual([route.method, path, 404]);
        expect(JSON.stringify(told ?? "").replaceAll(id, "")).not.toContain(theirs.host);
      }
    }
    const members = { displayName: "Mixed", members: [{ value: user.id }] };
    expect((await mine.scim("POST /Groups", members)).status).toBe(400);
    expect(await rows()).toEqual(before);
    expect((await mine.call(`PUT /api/scim/groups/${group.id}`, { role: "org_admin" })).body.code).toBe(
      "scim_group_not_found",
    );
    expect((await mine.call(`DELETE /api/scim/tokens/${theirs.tokenId}`)).body.code).toBe("scim_token_not_found");
  });

  test("what cannot be read is told as RFC 7644 words it, and pages are cut", async () => {
    const { scim, addUser } = await makeWorld();
    for (const name of ["a", "b", "c"]) await addUser(name);
    const page = (await scim("GET /Users?startIndex=2&count=2")).body;
    expect([page.totalResults, page.startIndex, page.itemsPerPage]).toEqual([4, 2, 2]);
    expect((await scim("GET /Users?startIndex=-5&count=0")).body).toMatchObject({ startIndex: 1, Resources: [] });
    const bad = await scim(`GET /Users?filter=${encodeURIComponent('userName zz "a"')}`);
    expect([bad.status, bad.body.schemas, bad.body.scimType]).toEqual([
      ...[400, ["urn:ietf:params:scim:api:messages:2.0:Error"], "invalidFilter"],
    ]);
    for (const body of [
      {},
      { userName: 5 },
      { userName: "no address" },
      { userName: "a\u0000@b" },
      { userName: "x", emails: [{}] },
    ])
      expect((await scim("POST /Users", body)).status).toBe(400);
    for (const path of [
      "ServiceProviderConfig",
      "ResourceTypes",
      "ResourceTypes/User",
      "Schemas",
      `Schemas/${SCIM_USER}`,
    ])
      expect((await scim(`GET /${path}`)).status).toBe(200);
    expect((await scim("GET /Schemas/urn:none")).status).toBe(404);
  });
});
