import { beforeEach, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { t } from "elysia";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { type Beat, beatBody } from "../../../../tests/kit/test-fleet.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import type { NodeFacts } from "../../agents/live/index.ts";
import { Instance } from "./contract.ts";

onEachEngine("fleet", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let ada: Person;
  let count = 0;
  beforeEach(async () => {
    panel = await createTestPanel(await databases.open());
    ada = await panel.join(`ada${++count}`);
  });
  const get = async (path: string, token = ada.token) => panel.call(`GET /api/fleet${path}`, { token });
  /** A node of the test's workspace that has reported once. */
  const grow = async (no: number, facts: Partial<NodeFacts> = {}, beat: Beat = {}) => {
    const id = `n${count}-${no}`;
    const own = { id, tenant_id: ada.tenant_id, hostname: `host-${no}` };
    panel.live.put(nodeFacts(count * 100 + no, { ...own, ...facts }));
    await send(id, { cpu: 10, memory: 20, disk: 30, ...beat });
    return id;
  };
  const send = async (nodeId: string, beat: Beat) => {
    const facts = panel.live.of(ada.tenant_id).get(nodeId);
    if (!facts) throw new Error(`there is no node ${nodeId}`);
    await panel.live.heartbeat(beatBody(facts, beat), { nodeId, tenantId: ada.tenant_id, serial: "s" });
  };
  const group = async (id: string, name: string, tenantId = ada.tenant_id) =>
    panel.system.run("INSERT INTO node_groups (tenant_id, id, name, created_at) VALUES (?, ?, ?, 0)", [
      tenantId,
      id,
      name,
    ]);

  test("is a plain list without a query, and a page with any", async () => {
    expect((await get("/instances")).body).toEqual([]);
    const first = await grow(2);
    await grow(1);
    const all = await get("/instances");
    expect(all.headers.get("content-type")).toContain("application/json");
    expect(Value.Check(t.Array(Instance), all.body)).toBe(true);
    expect(all.body.map(({ hostname }: Instance) => hostname)).toEqual(["host-1", "host-2"]);
    const page = (await get("/instances?per_page=1&sort=-host")).body;
    expect(page).toMatchObject({ total: 2, page: 1, per_page: 1 });
    expect(page.items).toEqual([
      {
        id: first,
        hostname: "host-2",
        name: "host-2",
        status: "online",
        health: "online",
        degraded_reasons: [],
        version: "1.0.0",
        region: null,
        region_source: null,
        zone: null,
        cloud_provider: null,
        ip_address: null,
        public_ip: null,
        ip_addresses: [],
        cpu_percent: 10,
        memory_percent: 20,
        disk_percent: 30,
        tags: [],
        group_id: null,
        msp_client_id: null,
        client_name: null,
        uptime_seconds: 1,
        apps_count: 0,
        failed_apps: 0,
        last_heartbeat: "2026-01-01T00:00:00.000Z",
        last_seen: "2026-01-01T00:00:00.000Z",
      },
    ]);
    expect(page.facets).toEqual({
      status: { online: 2, degraded: 0, offline: 0, pending: 0 },
      regions: { unknown: 2 },
      versions: { "1.0.0": 2 },
    });
    expect((await get("/instances/page")).body.items).toHaveLength(2);
  });

  test("leaves out, compares and takes several values; what nobody knows is refused with what is possible", async () => {
    const [a, b, c] = [
      await grow(1, { tags: ["prod"], region: "eu" }),
      await grow(2, { tags: ["Prod", "lab"] }),
      await grow(3),
    ];
    const ids = async (query: string) =>
      (await get(`/instances?${query}`)).body.items.map(({ id }: Instance) => id).toSorted();
    expect(await ids("tag=PROD")).toEqual([a, b]);
    expect(await ids("tag=prod&not=tag:lab")).toEqual([a]);
    expect(await ids("region=eu&region=unknown&not=q:host-3")).toEqual([a, b]);
    expect(await ids("status=online&status=pending&where=seen%3C60&where=apps%3C%3D0")).toEqual([a, b, c]);
    expect(await ids("where=seen%3E60")).toEqual([]);
    expect(await ids("where=cpu%3E80")).toEqual([]);
    expect(await ids("not=q:prod,lab")).toEqual([a, b, c]);
    expect(await ids("tag=prod&not=q:%5Bhost-1%5D")).toEqual([a, b]);
    const refused = async (query: string) => (await get(`/instances?${query}`)).body.params.field;
    expect(await refused("status=gone")).toBe("status");
    expect(await refused("not=colour:red")).toBe("not");
    expect(await refused("not=status:gone")).toBe("not");
    expect(await refused("where=cpu%3D80")).toBe("where");
    expect(await refused("where=constructor%3E1")).toBe("where");
    expect(await refused(`region=${"x".repeat(300)}`)).toBe("region");
    expect(await refused(Array.from({ length: 51 }, (_, no) => `tag=t${no}`).join("&"))).toBe("tag");
  });

  test("a comma or a bracket in a value is part of it", async () => {
    const [a, b, c] = [
      await grow(1, { region: "Frankfurt, DE" }),
      await grow(2, { region: "[lab]" }),
      await grow(3, { region: "DE" }),
    ];
    const ids = async (query: Record<string, string[]>) => {
      const search = new URLSearchParams();
      for (const [name, values] of Object.entries(query)) for (const one of values) search.append(name, one);
      return (await get(`/instances?${search}`)).body.items.map(({ id }: Instance) => id).toSorted();
    };
    expect(await ids({ region: ["Frankfurt, DE"] })).toEqual([a]);
    expect(await ids({ region: ["[lab]"] })).toEqual([b]);
    expect(await ids({ region: ["Frankfurt, DE", "[lab]"] })).toEqual([a, b]);
    expect(await ids({ not: ["region:Frankfurt, DE", "q:host-2"] })).toEqual([c]);
    await group(`grp_${count}`, "Web, mail");
    expect(await ids({ group: ["Web, mail"] })).toEqual([]);
    expect(await ids({ ids: [`${a},${b}`, c] })).toEqual([a, b, c]);
  });

  test("finds groups by id and by name, and ids however they are written", async () => {
    const other = await panel.join(`bob${count}`);
    await group(`grp_${count}`, "Web servers");
    await group(`grp_b${count}`, "Elsewhere", other.tenant_id);
    const [a, b, c] = [await grow(1, { group_id: `grp_${count}` }), await grow(2), await grow(3)];
    const ids = async (query: string) =>
      (await get(`/instances?${query}`)).body.items.map(({ id }: Instance) => id).toSorted();
    expect(await ids(`group=grp_${count}`)).toEqual([a]);
    expect(await ids("group=Web%20servers")).toEqual([a]);
    expect(await ids("group=Elsewhere")).toEqual([]);
    expect(await ids(`ids=${b},${c}`)).toEqual([b, c]);
    expect(await ids(`ids=${b}&ids=${c},none`)).toEqual([b, c]);
    expect(await ids(`ids=${b}`)).toEqual([b]);
    expect(await ids(`q=${b}`)).toEqual([b]);
    const many = await get(`/instances?ids=${Array.from({ length: 201 }, (_, n) => `n${n}`).join(",")}`);
    expect([many.status, many.body.code]).toEqual([400, "too_many_ids"]);
    for (const wrong of ["per_page=201", "page=0", "sort=name", "status=gone", "region=", "nothing=1"])
      expect([wrong, (await get(`/instances?${wrong}`)).status]).toEqual([wrong, 400]);
  });

  test("is summed up, judged and told of", async () => {
    const hot = await grow(1, { inventory: { cpu_cores: 4, memory_bytes: 8 * 2 ** 30 } }, { cpu: 50 });
    for (let minute = 0; minute < 3; minute++) {
      await panel.clock.advance(minutes(1));
      await send(hot, { cpu: 97 });
    }
    const began = panel.clock.now() - minutes(2);
    const quiet = `n${count}-2`;
    panel.live.put(
      nodeFacts(count * 100 + 2, { id: quiet, tenant_id: ada.tenant_id, registered_at: panel.clock.now() }),
    );
    expect((await get("/summary")).body).toEqual({
      total_instances: 2,
      healthy: 0,
      degraded: 1,
      offline: 1,
      total_apps: 0,
      total_cpu_cores: 4,
      total_memory_gb: 8,
    });
    expect((await get("/health")).body).toMatchObject({
      total: 2,
      healthy_pct: 0,
      status: { online: 0, degraded: 1, offline: 0, pending: 1 },
      reasons: { cpu_high: 1, never_connected: 1 },
      unhealthy: [
        { id: quiet, status: "pending", health: "offline", last_heartbeat: null },
        { id: hot, status: "degraded", degraded_reasons: ["cpu_high"] },
      ],
    });
    expect((await get("/alerts?limit=1")).body).toMatchObject({ total: 2, alerts: [{ rule: "never_connected" }] });
    expect((await get("/alerts")).body.alerts[1]).toEqual({
      id: `${hot}:cpu_high`,
      kind: "node.degraded",
      severity: "warning",
      title: "host-1 uses 97% of its processor",
      rule: "cpu_high",
      status: "open",
      instance_id: hot,
      hostname: "host-1",
      at: new Date(began).toISOString(),
    });
  });

  test("an alert stays at the moment since when it holds, however often the node is heard", async () => {
    const ill = await grow(1, {}, { cpu: 50 });
    await panel.clock.advance(minutes(1));
    const began = panel.clock.now();
    for (let minute = 0; minute < 10; minute++) {
      await send(ill, { cpu: 97, isCritical: true });
      await panel.clock.advance(minutes(1));
    }
    const at = new Date(began).toISOString();
    expect((await get("/alerts")).body.alerts).toMatchObject([
      { rule: "cpu_high", at },
      { rule: "agent_critical", at },
    ]);
    await send(ill, { cpu: 20, isCritical: true });
    expect((await get("/alerts")).body.alerts).toMatchObject([{ rule: "agent_critical", at }]);
  });

  test("a node is shown with its figures, its facts and its last hour", async () => {
    await group(`grp_${count}`, "Databases");
    const cluster = { id: "c1", name: "main", role: "leader", term: 7, ip: "10.9.0.1", peers: [] };
    const id = await grow(1, {
      group_id: `grp_${count}`,
      certificate_end: hours(1),
      inventory: { os: "Debian 12", kernel: 5, cpu_cores: 2, cluster, boot_time: "2025-12-31T00:00:00Z" },
    });
    await panel.clock.advance(minutes(1));
    await send(id, { cpu: 30, net_in: 1_000 });
    await panel.clock.advance(10_000);
    // By its session alone, whatever is heard of it.
    expect((await get(`/instances/${id}/detail`)).body.facts.agent_connected).toBe(false);
    let connected = id;
    panel.ctx.lists.sessions.add((nodeId) => nodeId === connected);
    const detail = (await get(`/instances/${id}/detail`)).body;
    expect(detail.facts).toMatchObject({
      os: "Debian 12",
      kernel: null,
      cpu_cores: 2,
      boot_time: "2025-12-31T00:00:00Z",
      cluster: { id: "c1", name: "main", role: "leader", ip: "10.9.0.1", term: 7 },
      group: { id: `grp_${count}`, name: "Databases" },
      tenant: null,
      last_heartbeat_age_seconds: 10,
      agent_connected: true,
      certificate_expires_at: "1970-01-01T01:00:00.000Z",
      license_plan: "community",
    });
    expect(detail.instance.cpu_percent).toBe(30);
    expect(detail.metrics.cpu.map(({ v }: { v: number }) => v)).toEqual([10, 30]);
    expect(detail.metrics.net_in).toHaveLength(1);
    const metrics = (await get(`/metrics/${id}`)).body;
    expect(metrics).toMatchObject({ instance_id: id, cpu_percent: 30, memory_percent: null, net_in: 1_000 });
    expect(metrics.metrics).toEqual(detail.metrics);
    await panel.clock.advance(minutes(11));
    expect((await get(`/metrics/${id}`)).body).toMatchObject({ cpu_percent: null, uptime_seconds: null });
    expect((await get(`/instances/${id}/detail`)).body.facts.agent_connected).toBe(true);
    connected = "another";
    expect((await get(`/instances/${id}/detail`)).body.facts.agent_connected).toBe(false);
  });

  test("views are a member's own", async () => {
    const viewer = await panel.invite(ada, `viewer${count}`, "org_viewer");
    const views = [
      { name: "Production", query: "q=prod&sort=-cpu" },
      { name: "Old", query: "version=1.0.0" },
    ];
    const put = (body: unknown, token = viewer.token) => panel.call("PUT /api/fleet/views", { token, body });
    const none = { views: [], columns: null };
    expect((await get("/views", viewer.token)).body).toEqual(none);
    expect((await put({ views })).body).toEqual({ views, columns: null });
    expect((await put({ views, columns: ["ip", "cpu"] })).body).toEqual({ views, columns: ["ip", "cpu"] });
    expect((await put({ views: views.toReversed() })).status).toBe(200);
    expect((await get("/views", viewer.token)).body).toEqual({ views: views.toReversed(), columns: ["ip", "cpu"] });
    expect((await get("/views")).body).toEqual(none);
    expect((await put({ views, columns: ["colour"] })).status).toBe(400);
    expect((await put({ views, columns: ["ip", "ip"] })).status).toBe(400);
    expect((await put({ views, columns: null })).body.columns).toBeNull();
    const twice = await put({ views: [views[0], views[0]] });
    expect([twice.status, twice.body.code]).toEqual([400, "view_names_clash"]);
    const many = Array.from({ length: 51 }, (_, n) => ({ name: `v${n}`, query: "" }));
    expect((await put({ views: many })).status).toBe(400);
  });
});
