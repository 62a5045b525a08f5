import { beforeAll, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { makeNodeKey } from "../../../../tests/kit/agent-client.ts";
import { TEST_SEAL } from "../../../../tests/kit/authority.ts";
import { createMemoryLive } from "../../../../tests/kit/memory-live.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createPanelBase } from "../../../../tests/kit/panel-base.ts";
import { createTestNodes, type TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { isWordOn } from "../../../shared/panel-word/index.ts";
import { liveTables } from "../live/journal-store.ts";
import { forgetDeleted } from "./forget-deleted-store.ts";
import { createNodes } from "./index.ts";
import { findNodeRow, listNodeRows } from "./node-store.ts";

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "ok",
    (error) => (error instanceof AppError ? error.code : String(error)),
  );

onEachEngine("nodes", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let nodes: TestNodes;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    nodes = createTestNodes(panel);
  });

  /** A second panel on the same tables, as after a restart. */
  async function restart() {
    const { log } = createTestLog();
    const { system, clock } = panel;
    const again = createNodes({
      ...createPanelBase(clock, { log, seal: TEST_SEAL }),
      system,
      tenants: panel.ctx.tenants,
      live: createMemoryLive(clock),
    });
    await again.start();
    return again;
  }
  const audited = (tenantId: string) =>
    panel.system.all<{ action: string; subject_id: string; details: string }>(
      "SELECT action, subject_id, details FROM audit_entries WHERE tenant_id = ? ORDER BY id",
      [tenantId],
    );
  const remove = (tenantId: string, id: string) => panel.tenant(tenantId).tx((tx) => panel.nodes.deleteNode(tx, id));

  test("fifty at once with one token: one is enrolled", async () => {
    const { tenant_id } = await panel.join("fifty");
    const token = await nodes.addToken(tenant_id, { tags: ["edge"] });
    const codes = await Promise.all(Array.from({ length: 50 }, (_, i) => codeOf(nodes.register(token, `fifty-${i}`))));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    expect(codes.filter((code) => code === "token_refused")).toHaveLength(49);
    expect(panel.nodes.directory.count(tenant_id)).toBe(1);
    const rows = (await listNodeRows(panel.system, 0, 100)).filter((row) => row.tenant_id === tenant_id);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ tags: '["edge"]', first_seen_at: null, address: "192.0.2.1" });
    // Forty-nine refusals of one token are one line.
    expect((await audited(tenant_id)).map(({ action }) => action).sort()).toEqual([
      "agent.register",
      "agent.token_refused",
    ]);
  });

  test("one id at once in two workspaces belongs to one of them", async () => {
    const [first, second] = [await panel.join("left"), await panel.join("right")];
    const tokens = [await nodes.addToken(first.tenant_id), await nodes.addToken(second.tenant_id)];
    const codes = await Promise.all(tokens.map((token) => codeOf(nodes.register(token, "disputed"))));
    expect(codes.toSorted()).toEqual(["node_elsewhere", "ok"]);
  });

  test("no node is another one's double but for small and capital letters, in its workspace or another", async () => {
    const [first, second] = [await panel.join("upper"), await panel.join("lower")];
    await nodes.enrol(first.tenant_id, "Double-1");
    for (const { tenant_id } of [first, second])
      expect(await codeOf(nodes.register(await nodes.addToken(tenant_id), "double-1"))).toBe("node_alike");
    expect(await codeOf(nodes.register(await nodes.addToken(first.tenant_id), "Double-1"))).toBe("ok");
  });

  test("a refusal leaves the token as it was", async () => {
    const { tenant_id } = await panel.join("refused");
    const other = await panel.join("elsewhere");
    await nodes.enrol(other.tenant_id, "taken");
    const token = await nodes.addToken(tenant_id);
    expect(await codeOf(nodes.register(token, "taken"))).toBe("node_elsewhere");
    expect(await codeOf(nodes.register(token, "mine", {}, "nonsense"))).toBe("invalid_csr");
    const { csr } = makeNodeKey();
    await nodes.register(await nodes.addToken(tenant_id), "keyed", {}, csr);
    expect(await codeOf(nodes.register(token, "mine", {}, csr))).toBe("key_in_use");
    expect(await codeOf(nodes.register(token, "mine"))).toBe("ok");
    const late = await nodes.addToken(tenant_id, { lifetimeMs: hours(1) });
    panel.clock.jump(hours(1));
    expect(await codeOf(nodes.register(late, "late"))).toBe("token_refused");
    const held = await nodes.addToken(tenant_id);
    const setStatus = (status: string) =>
      panel.system.run("UPDATE tenants SET status = ? WHERE tenant_id = ?", [status, tenant_id]);
    await setStatus("suspended");
    expect(await codeOf(nodes.register(held, "held"))).toBe("token_refused");
    await setStatus("active");
    expect(await codeOf(nodes.register(held, "held"))).toBe("ok");
  });

  test("the plan limits new nodes, not those that come again", async () => {
    const { tenant_id } = await panel.join("limited");
    for (let i = 0; i < 25; i++) await nodes.enrol(tenant_id, `limited-${i}`);
    const token = await nodes.addToken(tenant_id);
    const refusal = await nodes.register(token, "limited-25").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 402, code: "node_limit_reached", params: { plan: "free", limit: 25 } });
    expect(await codeOf(nodes.register(token, "limited-3"))).toBe("ok");
    await remove(tenant_id, "limited-7");
    expect(await codeOf(nodes.enrol(tenant_id, "limited-25"))).toBe("ok");
    await panel.system.run("UPDATE tenants SET plan = 'pro' WHERE tenant_id = ?", [tenant_id]);
    expect(await codeOf(nodes.enrol(tenant_id, "limited-26"))).toBe("ok");
  });

  test("a node that registers or renews without end gets certificates, and lines of the log, up to a number", async () => {
    const { tenant_id } = await panel.join("restless");
    const token = await nodes.addToken(tenant_id, { maxUses: 100, lifetimeMs: hours(3) });
    const again = () => codeOf(nodes.register(token, "restless"));
    const renewed = () => codeOf(nodes.renew("restless", panel.nodes.directory.find("restless")?.current ?? ""));
    const codes = [await again()];
    for (let i = 0; i < 20; i++) codes.push(await (i % 2 === 0 ? renewed() : again()));
    expect(codes).toEqual([...Array.from({ length: 20 }, () => "ok"), "too_many_requests"]);
    expect(await audited(tenant_id)).toHaveLength(20);
    expect(await renewed()).toBe("too_many_requests");
    expect(await codeOf(nodes.register(token, "another"))).toBe("ok");
    await panel.clock.advance(minutes(61));
    expect(await renewed()).toBe("ok");
    expect(await again()).toBe("too_many_requests");
  });

  test("registering again keeps what people gave the node, and tells about other hardware", async () => {
    const { tenant_id } = await panel.join("again");
    const first = await nodes.enrol(tenant_id, "again");
    await panel.system.run("UPDATE nodes SET tags = ?, region = 'eu' WHERE id = 'again'", ['["db"]']);
    const before = await findNodeRow(panel.system, "again");
    const revoked: string[] = [];
    const stop = panel.nodes.directory.onRevoked((id) => revoked.push(id));
    const second = await nodes.enrol(tenant_id, "again", { hostname: "renamed", hardware_fingerprint: "other" });
    stop();
    expect(second.cp_node_secret).not.toBe(first.cp_node_secret);
    const after = await findNodeRow(panel.system, "again");
    expect(after).toMatchObject({ no: before?.no ?? 0, tags: '["db"]', region: "eu", hostname: "renamed" });
    expect(after?.serial).not.toBe(before?.serial);
    expect(panel.nodes.directory.find("again")?.current).toBe(after?.serial ?? "");
    expect(revoked).toEqual(["again"]);
    const told = (await audited(tenant_id)).at(-1);
    expect(told?.action).toBe("agent.reregister");
    expect(JSON.parse(told?.details ?? "")).toMatchObject({
      hardware: "other_hardware_while_alive",
      severity: "critical",
    });
    const stored = await panel.system.get<{ secret: string }>("SELECT secret FROM nodes WHERE id = 'again'");
    expect(stored?.secret.startsWith("v1.")).toBe(true);
  });

  test("a renewed certificate waits until it is used, also across a restart", async () => {
    const { tenant_id } = await panel.join("renews");
    await nodes.enrol(tenant_id, "renews");
    const old = panel.nodes.directory.find("renews")?.current ?? "";
    await nodes.renew("renews", old);
    const renewed = await nodes.renew("renews", old);
    const serial = new X509Certificate(renewed.signed_certificate).serialNumber.replace(/^0+/, "");
    expect(panel.nodes.directory.find("renews")).toMatchObject({ current: old, next: serial });
    expect((await restart()).directory.find("renews")).toMatchObject({ current: old, next: serial });
    // The one that waits renews: it was used, so it counts, and another one waits.
    await nodes.renew("renews", serial);
    const next = panel.nodes.directory.find("renews")?.next ?? "";
    expect(panel.nodes.directory.find("renews")?.current).toBe(serial);
    await panel.nodes.directory.activate("renews", next);
    await panel.nodes.directory.activate("renews", "0DD");
    expect(panel.nodes.directory.find("renews")).toMatchObject({ current: next, next: null });
    expect((await restart()).directory.find("renews")).toMatchObject({ current: next, next: null });
    expect(await codeOf(nodes.renew("renews", old))).toBe("node_deleted");
  });

  test("gives its word on a certificate only as the tables have it, and follows them where it was behind", async () => {
    const { tenant_id } = await panel.join("word");
    const behind = await restart();
    await nodes.enrol(tenant_id, "ulysses");
    const roots = panel.nodes.authority().bundle().pem;
    const former = { nodeId: "ulysses", serial: panel.nodes.directory.find("ulysses")?.current ?? "" };
    // A panel that has never heard of the node, beside the one that enrolled it.
    expect(behind.directory.find("ulysses")).toBeNull();
    expect(await behind.directory.testify(former, "deleted")).toBeNull();
    expect(behind.directory.find("ulysses")).toMatchObject({ current: former.serial });
    await nodes.enrol(tenant_id, "ulysses");
    const current = { nodeId: "ulysses", serial: panel.nodes.directory.find("ulysses")?.current ?? "" };
    expect(await behind.directory.testify(current, "superseded")).toBeNull();
    const superseded = (await behind.directory.testify(former, "superseded")) ?? "";
    expect(isWordOn(superseded, roots, former, "superseded")).toBe(true);
    expect(await behind.directory.testify(former, "deleted")).toBeNull();
    await remove(tenant_id, "ulysses");
    const deleted = (await panel.nodes.directory.testify(current, "deleted")) ?? "";
    expect(isWordOn(deleted, roots, current, "deleted")).toBe(true);
    expect(isWordOn(deleted, roots, former, "deleted")).toBe(false);
    // Tables that never had it, an older copy for one, say nothing about it.
    expect(await panel.nodes.directory.testify({ nodeId: "nobody", serial: "1" }, "deleted")).toBeNull();
  });

  test("takes a heartbeat of status, metrics and inventory alone, and keeps what it knew of the rest", async () => {
    const { tenant_id } = await panel.join("plain");
    await nodes.enrol(tenant_id, "plain", { hostname: "atlas", version: "3.2.1" });
    const take = panel.nodes.handlers(panel.live.heartbeat).heartbeat;
    const serial = panel.nodes.directory.find("plain")?.current ?? "";
    const identity = { nodeId: "plain", tenantId: tenant_id, serial };
    const input = { status: "ok", metrics: { cpu_percent: 12 }, inventory: { os: "Debian" } } as const;
    const answer = await take(input, identity);
    expect(answer).toMatchObject({ commands: [], ca_certificate: panel.nodes.authority().bundle().pem });
    const fleet = panel.live.of(tenant_id);
    const facts = fleet.get("plain");
    expect(facts).toMatchObject({ hostname: "atlas", version: "3.2.1", inventory: { os: "Debian" } });
    expect(fleet.figures(facts?.no ?? -1)).toMatchObject({ cpu: 12, memory: NaN, uptime_seconds: NaN });
    expect(fleet.verdict(facts?.no ?? -1).status).toBe("online");
    await take({ status: "critical", metrics: {} }, identity);
    expect(fleet.verdict(facts?.no ?? -1).reasons).toEqual(["agent_critical"]);
  });

  test("of a deleted node stays who it was, and nothing of what it told", async () => {
    const { tenant_id } = await panel.join("telltale");
    await nodes.enrol(tenant_id, "telltale");
    await panel.system.run(
      "UPDATE nodes SET inventory = '{\"os\":\"Debian\"}', inventory_hash = 'x', apps = '[]' WHERE id = 'telltale'",
    );
    await remove(tenant_id, "telltale");
    expect(
      await panel.system.all("SELECT hostname, inventory, inventory_hash, apps FROM nodes WHERE id = 'telltale'"),
    ).toEqual([{ hostname: expect.any(String), inventory: null, inventory_hash: null, apps: null }]);
  });

  test("a deleted node comes back as a new one, in its workspace or in another", async () => {
    const { tenant_id } = await panel.join("deletes");
    await nodes.enrol(tenant_id, "phoenix");
    await nodes.heartbeat("phoenix");
    const { no } = (await findNodeRow(panel.system, "phoenix")) ?? { no: 0 };
    await remove(tenant_id, "phoenix");
    expect(await findNodeRow(panel.system, "phoenix")).toBeNull();
    expect(panel.nodes.directory.find("phoenix")).toBeNull();
    expect((await restart()).directory.find("phoenix")).toBeNull();
    await nodes.enrol(tenant_id, "phoenix");
    expect(await findNodeRow(panel.system, "phoenix")).toMatchObject({ no, first_seen_at: null, tags: "[]" });
    await remove(tenant_id, "phoenix");
    const other = await panel.join("adopts");
    await nodes.enrol(other.tenant_id, "phoenix");
    expect(panel.nodes.directory.find("phoenix")?.tenantId).toBe(other.tenant_id);
  });

  test("heartbeats tell what changed: connection, roots, license, hardware", async () => {
    const { tenant_id } = await panel.join("beats");
    const reply = await nodes.enrol(tenant_id, "beats");
    const changes: string[] = [];
    const stop = panel.nodes.onChange(({ kind, node_id }) => changes.push(`${kind} ${node_id}`));
    const first = await nodes.heartbeat("beats");
    expect(first.ca_certificate).toBe(reply.ca_certificate);
    expect(first.license_token).toBe(reply.license_token);
    const license_id = JSON.parse(atob(reply.license_token.split(".")[1] ?? "")).jti;
    const ca_id = panel.nodes.authority().bundle().id;
    const second = await nodes.heartbeat("beats", { license_id, ca_id });
    stop();
    expect(changes).toEqual(["connected beats"]);
    expect(second).not.toHaveProperty("ca_certificate");
    expect(second).not.toHaveProperty("license_token");
    const now = panel.clock.now();
    expect(await findNodeRow(panel.system, "beats")).toMatchObject({ connected_at: now, first_seen_at: now, ca_id });
    await panel.system.run("UPDATE tenants SET plan = 'business' WHERE tenant_id = ?", [tenant_id]);
    await panel.clock.advance(5_000);
    const upgraded = await nodes.heartbeat("beats", { license_id, ca_id });
    expect(JSON.parse(atob(upgraded.license_token?.split(".")[1] ?? ""))).toMatchObject({
      plan: "business",
      sub: tenant_id,
    });
    for (const fingerprint of ["moved", "back", "moved"])
      await nodes.heartbeat("beats", { hardware_fingerprint: fingerprint });
    expect((await audited(tenant_id)).map(({ action }) => action)).toEqual([
      "agent.register",
      "agent.fingerprint_change",
    ]);
  });

  test("the authority changes its root when the nodes know of the next one", async () => {
    const fresh = await createTestPanel(await databases.open());
    const own = createTestNodes(fresh);
    const { tenant_id } = await fresh.join("rotates");
    await own.enrol(tenant_id, "rotates");
    expect(await fresh.nodes.authority().beginRotation("root")).toBe(true);
    expect(await fresh.nodes.rotate()).toBe(false);
    await own.heartbeat("rotates", { ca_id: fresh.nodes.authority().bundle().id });
    expect(await fresh.nodes.rotate()).toBe(true);
    expect(fresh.nodes.authority().rotation().phase).toBe("activated");
    await fresh.clock.advance(days(2));
    // Its certificate is still of the former slot.
    expect(await fresh.nodes.rotate()).toBe(false);
    await own.enrol(tenant_id, "rotates");
    expect(await fresh.nodes.rotate()).toBe(true);
    expect(fresh.nodes.authority().rotation().phase).toBe("steady");
  });

  test("a deleted node is remembered for as long as anything needs it, 400 days at least, and then leaves nothing", async () => {
    const { tenant_id } = await panel.join("forgetful");
    const leftOf = async (id: string) => {
      const of = async (table: string, column: string) =>
        (await panel.system.all(`SELECT 1 AS one FROM ${table} WHERE tenant_id = ? AND ${column} = ?`, [tenant_id, id]))
          .length;
      return {
        node: await of("nodes", "id"),
        generations: await of("command_generations", "node_id"),
        transitions: await of("node_transitions", "node_id"),
      };
    };
    const figures = async (no: number) =>
      (await panel.system.all("SELECT 1 AS one FROM node_figures WHERE no = ?", [no])).length;
    for (const id of ["gone-1", "gone-2", "kept-1"]) {
      await nodes.enrol(tenant_id, id);
      await nodes.heartbeat(id);
      await panel.system.run("INSERT INTO command_generations VALUES (?, ?, 'app.start', 5)", [tenant_id, id]);
    }
    const no = (await findNodeRow(panel.system, "gone-1"))?.no ?? 0;
    for (const id of ["gone-1", "gone-2"]) await remove(tenant_id, id);
    await panel.system.run(
      `INSERT INTO commands (tenant_id, id, node_id, type, payload, generation, status, created_by, created_at, expires_at)
       VALUES (?, 'cmd_needs', 'gone-2', 'app.start', '{}', 5, 'failed', 'mem', 1, 1)`,
      [tenant_id],
    );
    const forget = () => forgetDeleted(panel.ctx, new AbortController().signal);
    await panel.clock.advance(days(1));
    await forget();
    expect([(await leftOf("gone-1")).node, await figures(no)]).toEqual([1, 1]);
    await panel.system.run("UPDATE nodes SET deleted_at = ? WHERE tenant_id = ? AND deleted_at IS NOT NULL", [
      panel.clock.now() - days(401),
      tenant_id,
    ]);
    await forget();
    expect(await leftOf("gone-1")).toEqual({ node: 0, generations: 0, transitions: 0 });
    expect(await figures(no)).toBe(0);
    expect((await leftOf("gone-2")).node).toBe(1);
    expect((await leftOf("kept-1")).node).toBe(1);
    await panel.system.run("DELETE FROM commands WHERE tenant_id = ? AND id = 'cmd_needs'", [tenant_id]);
    await forget();
    expect((await leftOf("gone-2")).node).toBe(0);
  });

  test("of deleted nodes a workspace keeps the newest, up to a number, and what they measured goes after a day", async () => {
    const { tenant_id } = await panel.join("busy");
    for (const id of ["many-1", "many-2", "many-3"]) {
      await nodes.enrol(tenant_id, id);
      await nodes.heartbeat(id);
      await panel.clock.advance(1_000);
      await remove(tenant_id, id);
    }
    const figures = async () =>
      (await panel.system.all("SELECT 1 AS one FROM node_figures WHERE tenant_id = ?", [tenant_id])).length;
    const { forgetDeleted: forgetFigures } = liveTables(panel.db);
    await forgetFigures(panel.clock.now() - days(1));
    expect(await figures()).toBe(3);
    await panel.clock.advance(days(1));
    await forgetFigures(panel.clock.now() - days(1) + 1_000);
    expect(await figures()).toBe(0);
    await forgetDeleted(panel.ctx, new AbortController().signal, 2);
    const rows = await panel.system.all<{ id: string }>("SELECT id FROM nodes WHERE tenant_id = ? ORDER BY id", [
      tenant_id,
    ]);
    expect(rows.map(({ id }) => id)).toEqual(["many-2", "many-3"]);
  });
});
