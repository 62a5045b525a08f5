import { beforeEach, expect, test } from "bun:test";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";
import type { AuditEntry } from "./contract.ts";
import { createReader } from "./logic.ts";

onEachEngine("audit log", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let nodes: Visit["nodes"];
  let ada: Visit["ada"];
  let count: number;
  beforeEach(async () => {
    ({ panel, nodes, ada, count } = await visit());
  });
  const read = async (query = "", { token } = ada): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> =>
    (await panel.call(`GET /api/audit/logs?${query}`, { token })).body;
  const actions = async (query = "") => (await read(query)).entries.map(({ action }) => action);

  test("what is older than the log is kept goes, of every workspace, however much it is, and the log says so", async () => {
    const other = await panel.join(`other${count}`);
    const now = panel.clock.now();
    const keep = 400 * 86_400_000;
    const insert = (tenant: string, at: number, name: string) =>
      panel.system.run(
        `INSERT INTO audit_entries (tenant_id, id, at, member_id, account_id, action, subject_id, details, ip)
         VALUES (?, ?, ?, 'operator', '', 'account.staff', 'x', '{}', '')`,
        [tenant, `${name}-${count}`, at],
      );
    for (let each = 0; each < 1_005; each++) await insert(ada.tenant_id, now - keep - 1 - each, `old${each}`);
    await insert(other.tenant_id, now - keep - 1, "old");
    await insert(other.tenant_id, now - keep, "kept");
    await panel.runJob("audit.forget");
    const left = "SELECT id FROM audit_entries WHERE at <= ? ORDER BY id";
    expect(await panel.system.all(left, [now - keep])).toEqual([{ id: `kept-${count}` }]);
    const { body } = await panel.call("GET /api/audit/logs", { token: ada.token });
    expect([body.entries, body.kept_since]).toEqual([[], new Date(now - keep).toISOString()]);
  });

  test("ends a page early when its entries have much to tell, and goes on from there", async () => {
    const details = JSON.stringify({ text: "d".repeat(300_000) });
    for (const name of ["a", "b", "c"])
      await panel.system.run(
        `INSERT INTO audit_entries (tenant_id, id, at, member_id, account_id, action, subject_id, details, ip)
         VALUES (?, ?, ?, 'operator', '', 'account.staff', 'x', ?, '')`,
        [ada.tenant_id, `long-${name}-${count}`, panel.clock.now(), details],
      );
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await read(`limit=500${cursor && `&cursor=${cursor}`}`);
      expect(page.entries.length).toBe(1);
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(["c", "b", "a"].map((name) => `long-${name}-${count}`));
  });

  test("tells who did what to whom by name, the newest first, and narrows to each of these", async () => {
    await nodes.enrol(ada.tenant_id, `node-${count}`, { hostname: "web-1" });
    await panel.clock.advance(60_000);
    const moment = new Date(panel.clock.now()).toISOString();
    const manager = await panel.invite(ada, `manager${count}`, "org_manager");
    await panel.call(`PUT /api/fleet/instances/node-${count}/tags`, {
      token: manager.token,
      body: { tags: ["50%_x"] },
    });
    await panel.call("PUT /api/v1/workspace/mode", { token: ada.token, body: { mode: "msp" } });
    const { entries, next_cursor } = await read();
    expect(next_cursor).toBeNull();
    expect(entries.map(({ action, actor, subject }) => [action, actor.kind, actor.name, subject.name])).toEqual([
      ["workspace.mode", "member", `ada${count}`, null],
      ["fleet.node.tags", "member", `manager${count}`, "web-1"],
      ["agent.register", "node", "web-1", "web-1"],
    ]);
    expect(entries[1]).toMatchObject({ details: { tags: ["50%_x"] }, timestamp: moment });
    expect(await actions("action=fleet.")).toEqual(["fleet.node.tags"]);
    expect(await actions("action=fleet_")).toEqual([]);
    expect(await actions("actor=agent")).toEqual(["agent.register"]);
    expect(await actions(`actor=${ada.member_id}`)).toEqual(["workspace.mode"]);
    expect(await actions(`from=${moment}`)).toEqual(["workspace.mode", "fleet.node.tags"]);
    expect(await actions(`to=${moment}`)).toEqual(["agent.register"]);
    expect(await actions("q=WEB-1")).toEqual(["fleet.node.tags", "agent.register"]);
    expect(await actions("q=50%25_x")).toEqual(["fleet.node.tags"]);
    expect(await actions("q=5%25_x")).toEqual([]);
  });

  test("names what is there by its present name, and what is gone not at all", async () => {
    const viewer = await panel.invite(ada, `viewer${count}`, "org_viewer");
    const { token } = ada;
    const group = (await panel.call("POST /api/fleet/groups", { token, body: { name: "Racks" } })).body.id;
    const gone = (await panel.call("POST /api/fleet/groups", { token, body: { name: "Gone" } })).body.id;
    await panel.call(`PATCH /api/fleet/groups/${group}`, { token, body: { name: "Shelves" } });
    await panel.call(`DELETE /api/fleet/groups/${gone}`, { token });
    await panel.call("POST /api/fleet/tokens", { token, body: { name: "Many" } });
    await panel.call(`PUT /api/team/members/${viewer.member_id}/role`, { token, body: { role: "org_manager" } });
    const { entries } = await read();
    expect(entries.map(({ action, subject }) => [action, subject.name])).toEqual([
      ["team.role_change", `viewer${count}`],
      ["fleet.token.create", "Many"],
      ["fleet.group.remove", null],
      ["fleet.group.change", "Shelves"],
      ["fleet.group.add", null],
      ["fleet.group.add", "Shelves"],
    ]);
  });

  test("what nodes and strangers do stands there too: renewals, refused tokens, ends of commands, wrong passwords", async () => {
    const id = `audited-${count}`;
    const token = await nodes.addToken(ada.tenant_id);
    await nodes.register(token, id);
    for (let time = 0; time < 3; time++) await nodes.register(token, `other-${count}`).catch(() => null);
    await nodes.register("nobody made this one", `other-${count}`).catch(() => null);
    const serial = panel.nodes.directory.find(id)?.current ?? "";
    await nodes.renew(id, serial);
    const command = { instance_ids: [id], command: "inventory.refresh" };
    const sent = await panel.call("POST /api/fleet/commands", { token: ada.token, body: command });
    await panel.commands.forNode({ nodeId: id, tenantId: ada.tenant_id });
    const told = { id: sent.body.commands[0].id, status: "running" as const };
    const node = { nodeId: id, tenantId: ada.tenant_id };
    await panel.commands.settle(node, [told]);
    await panel.commands.settle(node, [{ ...told, status: "succeeded" }]);
    await panel.call("POST /api/auth/login", { body: { email: ada.email, password: "wrong password" } });
    await until(async () => (await read("action=account.sign_in_failed")).entries.length === 1);
    const entries = (await read()).entries.map(({ action, actor, subject, details }) => [
      action,
      actor.kind,
      subject.id === ada.member_id ? "ada" : subject.id.replace(/^tok_.*/, "token"),
      details["reason"] ?? details["status"] ?? null,
    ]);
    expect(entries).toEqual([
      ["account.sign_in_failed", "visitor", "ada", null],
      ["fleet.command.result", "node", id, "succeeded"],
      ["fleet.command", "member", id, null],
      ["agent.renew", "node", id, null],
      ["agent.token_refused", "visitor", "token", "used_up"],
      ["agent.register", "node", id, null],
    ]);
  });

  test("a new workspace is in its own log, and a client in that of the service provider too", async () => {
    await panel.call("PUT /api/v1/workspace/mode", { token: ada.token, body: { mode: "msp" } });
    const body = { name: "Client", as_client: true };
    const made = (await panel.call("POST /api/workspaces", { token: await panel.signIn(ada), body })).body;
    const entries = [
      ...(await read("action=workspace.create")).entries,
      ...(await read("action=workspace.create", { ...ada, token: made.token })).entries,
    ];
    expect(entries.map(({ subject, details }) => [subject.id, details])).toEqual([
      [made.workspace.id, { name: "Client" }],
      [made.workspace.id, { name: "Client" }],
    ]);
  });

  test("pages go on where the one before ended, also within one millisecond", async () => {
    for (const mode of ["msp", "family", "school", "business", "msp"])
      await panel.call("PUT /api/v1/workspace/mode", { token: ada.token, body: { mode } });
    const whole = (await read()).entries.map(({ id }) => id);
    expect(whole).toHaveLength(5);
    const first = await read("limit=2");
    const second = await read(`limit=2&cursor=${first.next_cursor}`);
    const third = await read(`limit=2&cursor=${second.next_cursor}`);
    expect([first, second, third].flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(whole);
    expect(third.next_cursor).toBeNull();
    const unknown = await panel.call("GET /api/audit/logs?cursor=aud_none", { token: ada.token });
    expect([unknown.status, unknown.body.code]).toEqual([400, "audit_cursor_unknown"]);
  });

  /** Puts entries before all others of the workspace: every thousandth is about `needle`. */
  const lengthen = (entries: number) =>
    panel.system.run(
      `INSERT INTO audit_entries (tenant_id, id, at, member_id, account_id, action, subject_id, details, ip)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${entries})
       SELECT '${ada.tenant_id}', 'aud_${count}_' || i, i, 'panel', '', 'workspace.rename',
         CASE WHEN i % 1000 = 0 THEN 'needle' ELSE 'hay' END, '{}', '' FROM n`,
    );

  test("a long log is looked through in parts, and nothing is lost or told twice where they meet", async () => {
    await lengthen(7_000);
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await read(`q=needle&limit=3${cursor && `&cursor=${cursor}`}`);
      found.push(...page.entries.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(found).toEqual([7, 6, 5, 4, 3, 2, 1].map((thousand) => `aud_${count}_${thousand}000`));
    expect(
      (await read(`q=needle&from=${new Date(2_500).toISOString()}&to=${new Date(5_000).toISOString()}`)).entries,
    ).toHaveLength(2);
    expect((await read("q=nowhere")).entries).toEqual([]);
    expect((await read("limit=500")).entries).toHaveLength(500);
  });

  test("an account has a few pages put together at a time", async () => {
    await lengthen(7_000);
    const asked = Array.from({ length: 12 }, () => panel.call("GET /api/audit/logs?q=nowhere", { token: ada.token }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect([statuses.includes(429), statuses.filter((status) => status === 200).length >= 4]).toEqual([true, true]);
    expect((await panel.call("GET /api/audit/logs", { token: ada.token })).status).toBe(200);
  });

  test("accounts that read as much as they may keep nobody else from reading", async () => {
    await lengthen(2_100);
    const readPage = createReader(panel.ctx);
    const { account_id, member_id, tenant_id } = ada;
    const who = { account_id, member_id, tenant_id, role: "org_owner", session_id: "", is_staff: false } as const;
    const ask = (name: string) => {
      const actor = { ...who, account_id: name, tenant_id: name, is_wsl: false, db: panel.tenant(tenant_id) };
      return readPage(actor, { q: "nowhere" });
    };
    const greedy = Promise.allSettled(Array.from({ length: 20 }, (_, no) => ask(`greedy${no % 5}`)));
    const others = await Promise.allSettled([ask("one"), ask("other")]);
    expect(others.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    const gone = (await greedy).filter(({ status }) => status === "rejected");
    expect(gone).toMatchObject(Array(2).fill({ reason: { code: "too_many_requests" } }));
  });

  test("only who manages people reads it, and only of their own workspace", async () => {
    await panel.call("PUT /api/v1/workspace/mode", { token: ada.token, body: { mode: "msp" } });
    const statuses: [string, number][] = [];
    for (const role of ["org_admin", "org_manager", "org_viewer", "org_teacher"]) {
      const { token } = await panel.invite(ada, `${role}${count}`, role);
      statuses.push([role, (await panel.call("GET /api/audit/logs", { token })).status]);
    }
    expect(statuses).toEqual([
      ["org_admin", 200],
      ["org_manager", 403],
      ["org_viewer", 403],
      ["org_teacher", 403],
    ]);
    const bob = await panel.join(`bob${count}`);
    expect((await read("", bob)).entries).toEqual([]);
    const theirs = (await read()).entries[0]?.id;
    const probed = await panel.call(`GET /api/audit/logs?cursor=${theirs}`, { token: bob.token });
    expect(probed.body.code).toBe("audit_cursor_unknown");
  });
});
