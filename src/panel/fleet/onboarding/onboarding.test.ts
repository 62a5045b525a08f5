import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes, type TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";

const WAIT = "GET /api/onboarding/first-heartbeat";

onEachEngine("onboarding", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let nodes: TestNodes;
  beforeEach(async () => {
    panel = await createTestPanel(await databases.open());
    nodes = createTestNodes(panel);
  });
  const makeToken = async (person: Person, body?: unknown) =>
    (await panel.call("POST /api/onboarding/enroll-token", { token: person.token, body })).body;
  const audited = async (person: Person) => {
    const sql = "SELECT action, details FROM audit_entries WHERE tenant_id = ? ORDER BY id";
    return (await panel.system.all<{ action: string; details: string }>(sql, [person.tenant_id])).map(
      ({ action }) => action,
    );
  };

  test("a token comes with the line that uses it, lets one server in, and is audited", async () => {
    const ada = await panel.join("ada");
    const made = await makeToken(ada);
    const pin = panel.nodes.authority().pin();
    expect(made).toEqual({
      id: expect.stringMatching(/^rgt_/),
      token: expect.stringMatching(/^ort_[\w-]{43}$/),
      created_at: "2026-01-01T00:00:00.000Z",
      expires_at: "2026-01-01T01:00:00.000Z",
      cc_url: "http://localhost",
      command: `orrery-node connect --panel https://localhost:8443 --token ${made.token} --pin ${pin}`,
      install_command: null,
    });
    const stored = await panel.system.all("SELECT * FROM registration_tokens WHERE tenant_id = ?", [ada.tenant_id]);
    expect(JSON.stringify(stored)).not.toContain(made.token);
    await nodes.register(made.token, "ada-1");
    expect(await nodes.register(made.token, "ada-2").catch(({ code }) => code)).toBe("token_refused");
    expect(await audited(ada)).toEqual(["fleet.token.create", "agent.register", "agent.token_refused"]);
    const short = await makeToken(ada, { ttl_minutes: 5 });
    expect(Date.parse(short.expires_at) - Date.parse(short.created_at)).toBe(minutes(5));
    const long = await panel.call("POST /api/onboarding/enroll-token", {
      token: ada.token,
      body: { ttl_minutes: 1441 },
    });
    expect(long.status).toBe(400);
  });

  test("named tokens are listed without their text, revoked, and bring group and tags", async () => {
    const bob = await panel.join("bob");
    const call = (route: string, body?: unknown) => panel.call(route, { token: bob.token, body });
    const body = { name: "Racks", expires_in_hours: 2, max_uses: 2, tags: ["edge", "edge"], group_id: "grp_1" };
    expect((await call("POST /api/fleet/tokens", body)).body.code).toBe("token_group_unknown");
    await panel.system.run(
      "INSERT INTO node_groups (tenant_id, id, name, created_at) VALUES (?, 'grp_1', 'Racks', 0)",
      [bob.tenant_id],
    );
    const { token, ...made } = (await call("POST /api/fleet/tokens", body)).body;
    expect(made).toEqual({
      name: "Racks",
      expires_at: new Date(panel.clock.now() + hours(2)).toISOString(),
      command: expect.stringContaining(`--token ${token} --pin`),
      install_command: null,
    });
    await nodes.register(token, "bob-1");
    const { tokens } = (await call("GET /api/fleet/tokens")).body;
    expect(tokens).toHaveLength(1);
    expect(tokens[0]).toMatchObject({ name: "Racks", uses: 1, max_uses: 2, tags: ["edge"], group_id: "grp_1" });
    const [{ id }] = tokens;
    expect((await call(`DELETE /api/fleet/tokens/${id}`)).body).toEqual({ id, status: "revoked" });
    expect((await call(`DELETE /api/fleet/tokens/${id}`)).body.code).toBe("token_not_found");
    expect(await nodes.register(token, "bob-2").catch(({ code }) => code)).toBe("token_refused");
    const row = await panel.system.get("SELECT group_id, tags FROM nodes WHERE id = 'bob-1'");
    expect(row).toEqual({ group_id: "grp_1", tags: '["edge"]' });
    expect((await audited(bob)).toSorted()).toEqual([
      "agent.register",
      "agent.token_refused",
      "fleet.token.create",
      "fleet.token.revoke",
    ]);
  });

  test("room on the plan and who was turned away are told, to nobody else", async () => {
    const gil = await panel.join("gil");
    const read = async (person: Person) =>
      (await panel.call("GET /api/onboarding/enrolment", { token: person.token })).body;
    expect(await read(gil)).toEqual({ plan: "free", nodes: { used: 0, limit: 25 }, refused: [] });
    const { token } = await makeToken(gil);
    await nodes.register(token, "gil-1");
    const late = () => nodes.register(token, "gil-2", { hostname: "late" }).catch(({ code }) => code);
    expect([await late(), await late()]).toEqual(["token_refused", "token_refused"]);
    const told = await read(gil);
    expect(told.nodes).toEqual({ used: 1, limit: 25 });
    expect(told.refused).toMatchObject([
      {
        at: new Date(panel.clock.now()).toISOString(),
        hostname: "late",
        code: "token_refused",
        token: "Enrol a server",
      },
    ]);
    const hal = await panel.join("hal");
    const foreign = (await makeToken(hal)).token;
    expect(await nodes.register(foreign, "gil-1").catch(({ code }) => code)).toBe("node_elsewhere");
    expect((await read(hal)).refused).toMatchObject([{ code: "node_elsewhere" }]);
    expect((await read(gil)).refused).toHaveLength(1);
    await nodes.register("ort_nobody-made-this", "gil-3").catch(() => {});
    expect((await read(gil)).refused).toHaveLength(1);
    for (let no = 2; no <= 25; no++) await nodes.enrol(gil.tenant_id, `gil-${no}`);
    expect(await nodes.register((await makeToken(gil)).token, "gil-26").catch(({ code }) => code)).toBe(
      "node_limit_reached",
    );
    expect((await read(gil)).refused[0]).toMatchObject({ code: "node_limit_reached" });
    await panel.clock.advance(hours(1));
    const again = { ...gil, token: await panel.signIn(gil) };
    expect((await read(again)).refused).toEqual([]);
  });

  test("a token enrols nothing once its maker has left or may not enrol any more, and is good again when they are back", async () => {
    const owner = await panel.join("fay");
    const manager = await panel.invite(owner, "gus", "org_manager");
    await nodes.enrol(owner.tenant_id, "fay-1");
    const { token } = await makeToken(manager);
    const attempt = (id: string) =>
      nodes.register(token, id).then(
        () => "in",
        ({ code }) => code,
      );
    const waiting = async () => (await panel.call("GET /api/fleet/tokens", { token: owner.token })).body.tokens.length;
    const asOwner = (route: string, body?: unknown) => panel.call(route, { token: owner.token, body });
    const member = `/api/team/members/${manager.member_id}`;
    expect(await waiting()).toBe(1);
    await asOwner(`PUT ${member}/role`, { role: "org_viewer" });
    // By its id it would take the place of a server that is there.
    expect([await attempt("gus-1"), await attempt("fay-1"), await waiting()]).toEqual([
      ...["token_refused", "token_refused"],
      0,
    ]);
    await asOwner(`PUT ${member}/role`, { role: "org_manager" });
    await asOwner(`DELETE ${member}`);
    expect([await attempt("fay-1"), await waiting()]).toEqual(["token_refused", 0]);
    const log = (await asOwner("GET /api/audit/logs?action=agent.token_refused")).body.entries;
    expect(log.map(({ details }: { details: unknown }) => details)).toMatchObject([{ reason: "maker_gone" }]);
    await asOwner(`POST ${member}/restore`);
    expect([await waiting(), await attempt("gus-1")]).toEqual([1, "in"]);
  });

  test("a token of the staff ends with their visit", async () => {
    const owner = await panel.join("hal");
    const staff = await panel.invite(owner, "ida", "org_viewer");
    const beStaff = (role: string | null) =>
      panel.system.run("UPDATE accounts SET global_role = ?, has_factor = 1 WHERE id = ?", [role, staff.account_id]);
    await beStaff("admin");
    const [first, second] = [await makeToken(staff), await makeToken(staff)];
    await nodes.register(first.token, "hal-1");
    await beStaff(null);
    expect(await nodes.register(second.token, "hal-2").catch(({ code }) => code)).toBe("token_refused");
  });

  test("tokens that are still good are limited in number, and dead ones are forgotten", async () => {
    const eve = await panel.join("eve");
    await panel.system.run(
      `INSERT INTO registration_tokens (tenant_id, id, hash, name, max_uses, created_by, created_at, expires_at)
       SELECT tenant_id, 'old', 'hash of eve', 'old', 1, 'mem', 0, ? FROM tenants WHERE tenant_id = ?`,
      [panel.clock.now() - days(30), eve.tenant_id],
    );
    for (let i = 0; i < 500; i++) await nodes.addToken(eve.tenant_id);
    const refused = await panel.call("POST /api/onboarding/enroll-token", { token: eve.token });
    expect(refused).toMatchObject({ status: 409, body: { code: "too_many_tokens", params: { limit: 500 } } });
    await panel.system.run("UPDATE registration_tokens SET uses = 1 WHERE tenant_id = ? AND id <> 'old'", [
      eve.tenant_id,
    ]);
    await makeToken(eve);
    const left = await panel.system.all("SELECT id FROM registration_tokens WHERE tenant_id = ? AND id = 'old'", [
      eve.tenant_id,
    ]);
    expect(left).toEqual([]);
  });

  test("a long poll answers when a node of the workspace connects, or when its time is over", async () => {
    const cem = await panel.join("cem");
    const stranger = await panel.join("stranger");
    await nodes.enrol(cem.tenant_id, "cem-1", { hostname: "web-1", version: "2.0.0" });
    await nodes.enrol(stranger.tenant_id, "stranger-1");
    const waits = panel.call(`${WAIT}?timeout=20`, { token: cem.token });
    await panel.clock.advance(19_000);
    await nodes.heartbeat("stranger-1");
    await nodes.heartbeat("cem-1", { hostname: "web-1", version: "2.0.0" });
    const at = new Date(panel.clock.now()).toISOString();
    expect((await waits).body).toEqual({
      connected: true,
      instance: {
        id: "cem-1",
        hostname: "web-1",
        status: "online",
        version: "2.0.0",
        last_heartbeat: at,
        created_at: new Date(panel.clock.now() - 19_000).toISOString(),
      },
    });
    expect((await panel.call(WAIT, { token: cem.token })).body.instance.id).toBe("cem-1");
    const late = panel.call(`${WAIT}?since=${new Date(panel.clock.now() + 1).toISOString()}`, { token: cem.token });
    await until(async () => {
      await panel.clock.advance(5_000);
      return (await Promise.race([late, Bun.sleep(1).then(() => null)])) !== null;
    });
    expect((await late).body).toEqual({ connected: false, instance: null });
    // It counts again once it registered again.
    const since = new Date(panel.clock.now()).toISOString();
    await nodes.enrol(cem.tenant_id, "cem-1");
    await nodes.heartbeat("cem-1");
    const again = await panel.call(`${WAIT}?since=${since}&timeout=0`, { token: cem.token });
    expect(again.body.instance.id).toBe("cem-1");
    expect((await panel.call(`${WAIT}?since=yesterday`, { token: cem.token })).status).toBe(400);
  });

  test("the stream tells the same as one event", async () => {
    const dan = await panel.join("dan");
    const timeout = await panel.call(`${WAIT}?stream=1&timeout=0`, { token: dan.token });
    expect(timeout.headers.get("content-type")).toContain("text/event-stream");
    expect(timeout.body).toContain('event: timeout\ndata: {"connected":false}');
    await nodes.enrol(dan.tenant_id, "dan-1");
    await nodes.heartbeat("dan-1");
    const text = (await panel.call(`${WAIT}?stream=1`, { token: dan.token })).body;
    expect(JSON.parse(/event: heartbeat\ndata: (.+)/.exec(text)?.[1] ?? "")).toMatchObject({ id: "dan-1" });
  });

  test("a node whose deletion was committed unheard is cut off when somebody deletes it again", async () => {
    const ida = await panel.join("ida");
    await nodes.enrol(ida.tenant_id, "ida-1");
    await nodes.heartbeat("ida-1");
    // What is left where the database goes away with its answer to the commit.
    await panel.system.run("UPDATE nodes SET deleted_at = 1 WHERE id = 'ida-1'");
    const again = await panel.call("DELETE /api/fleet/instances/ida-1", { token: ida.token });
    expect([again.status, again.body.code]).toEqual([404, "node_not_found"]);
    expect((await panel.call("GET /api/fleet/instances", { token: ida.token })).body).toEqual([]);
    await expect(nodes.heartbeat("ida-1")).rejects.toThrow();
  });

  test("a deleted node is cut off, and only its own workspace deletes it", async () => {
    const fay = await panel.join("fay");
    const other = await panel.join("other");
    await nodes.enrol(fay.tenant_id, "fay-1");
    const gone: string[] = [];
    const stop = panel.nodes.directory.onRevoked((id) => gone.push(id));
    const remove = (person: Person) => panel.call("DELETE /api/fleet/instances/fay-1", { token: person.token });
    expect((await remove(other)).body.code).toBe("node_not_found");
    expect(gone).toEqual([]);
    expect((await remove(fay)).body).toEqual({ id: "fay-1", status: "deleted" });
    stop();
    expect(gone).toEqual(["fay-1"]);
    expect(panel.nodes.directory.find("fay-1")).toBeNull();
    expect((await remove(fay)).status).toBe(404);
    expect(await audited(fay)).toEqual(["agent.register", "fleet.instance.delete"]);
  });

  test("of tokens that are spent a workspace remembers 500, and every good one", async () => {
    const ada = await panel.join("ada");
    await panel.system.tx(async (tx) => {
      for (let no = 0; no < 502; no++)
        await tx.run(
          `INSERT INTO registration_tokens (tenant_id, id, hash, name, tags, uses, max_uses, created_by, created_at, expires_at, revoked_at)
           VALUES (?, ?, ?, 'x', '[]', 0, 1, ?, ?, ?, ?)`,
          [
            ...[ada.tenant_id, `rgt_${no}`, `hash-${no}`, ada.member_id, no, panel.clock.now() + days(300)],
            no === 0 ? null : 1,
          ],
        );
    });
    await makeToken(ada);
    const rows = await panel.system.all<{ id: string }>(
      "SELECT id FROM registration_tokens WHERE tenant_id = ? ORDER BY created_at LIMIT 2",
      [ada.tenant_id],
    );
    expect(rows.map(({ id }) => id)).toEqual(["rgt_0", "rgt_2"]);
  });
});
