import { beforeEach, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { type Beat, beatBody } from "../../../../tests/kit/test-fleet.ts";
import { days, hours, minutes, seconds } from "../../../lib/duration.ts";
import type { NodeFacts } from "../../agents/live/index.ts";
import { HeatCells, Heatmap } from "./contract.ts";

onEachEngine("fleet overview", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let ada: Person;
  let count = 0;
  beforeEach(async () => {
    panel = await createTestPanel(await databases.open());
    ada = await panel.join(`ada${++count}`);
  });
  const get = async (path: string) => panel.call(`GET /api/fleet${path}`, { token: await panel.signIn(ada) });
  const send = async (nodeId: string, beat: Beat) => {
    const facts = panel.live.of(ada.tenant_id).get(nodeId);
    if (!facts) throw new Error(`there is no node ${nodeId}`);
    await panel.live.heartbeat(beatBody(facts, beat), { nodeId, tenantId: ada.tenant_id, serial: "s" });
  };
  const grow = async (no: number, beat: Beat | null = {}, facts: Partial<NodeFacts> = {}) => {
    const id = `n${count}-${no}`;
    panel.live.put(nodeFacts(count * 100 + no, { id, tenant_id: ada.tenant_id, hostname: `host-${no}`, ...facts }));
    if (beat) await send(id, beat);
    return id;
  };

  test("an empty fleet has an overview and a map too", async () => {
    expect((await get("/overview")).body).toMatchObject({
      range: "24h",
      healthy_pct: null,
      totals: { total: { value: 0, delta: null } },
      tenants: { value: 0, delta: null, kind: "groups" },
      incidents: { open: 0, delta: null, max_severity: null },
      newest_version: { version: null, count: 0, total: 0 },
      cpu: { bucket_seconds: 900, points: [] },
      resources: { avg_cpu: null, avg_mem: null, avg_disk: null, nodes: 0 },
      top_cpu: [],
      recent_alerts: [],
      open_alerts: 0,
      regions: [],
    });
    expect((await get("/heatmap?metric=cpu")).body).toEqual({ metric: "cpu", total: 0, rows: [] });
    expect((await get("/heatmap")).body).toEqual({ cells: [] });
    expect((await get("/regions")).body).toEqual([]);
    expect((await get("/clusters")).body).toEqual([]);
    expect((await get("/clusters/none/topology")).body.code).toBe("cluster_not_found");
  });

  test("a service provider's clients count with and without nodes", async () => {
    await panel.call("PUT /api/v1/workspace/mode", { token: ada.token, body: { mode: "msp" } });
    for (const name of ["First", "Second"]) {
      const token = await panel.signIn(ada);
      await panel.call("POST /api/workspaces", { token, body: { name, as_client: true } });
    }
    expect((await get("/overview")).body.tenants).toEqual({ value: 2, delta: null, kind: "clients" });
    await grow(1);
    await panel.runJob("fleet.snapshots");
    await panel.clock.advance(days(1));
    const token = await panel.signIn(ada);
    await panel.call("POST /api/workspaces", { token, body: { name: "Third", as_client: true } });
    expect((await get("/overview")).body.tenants).toEqual({ value: 3, delta: 1, kind: "clients" });
  });

  test("tells how the fleet is, and what changed since yesterday", async () => {
    await grow(1, { cpu: 10, memory: 40 }, { region: "eu", version: "1.10.0" });
    await grow(2, { cpu: 95, memory: 60, disk: 50 }, { region: "eu", version: "1.9.0" });
    await panel.runJob("fleet.snapshots");
    await panel.clock.advance(days(1));
    const quiet = await grow(3, null);
    await send(`n${count}-1`, { cpu: 20, memory: 40 });
    await send(`n${count}-2`, { cpu: 96, memory: 60, disk: 50 });
    const { body } = await get("/overview?range=1h&top=1&alerts=1");
    expect(body).toMatchObject({
      range: "1h",
      healthy_pct: 33.3,
      totals: {
        total: { value: 3, delta: 1 },
        online: { value: 1, delta: 0 },
        degraded: { value: 1, delta: 0 },
        offline: { value: 1, delta: 1 },
      },
      tenants: { value: 0, delta: 0, kind: "groups" },
      incidents: { open: 1, delta: 0, max_severity: "warning" },
      newest_version: { version: "1.10.0", count: 1, total: 3 },
      resources: { avg_cpu: 58, avg_mem: 50, avg_disk: 50, nodes: 2 },
      open_alerts: 2,
      regions: [
        { region: "eu", total: 2, online: 1, degraded: 1, offline: 0 },
        { region: "unknown", total: 1, online: 0, degraded: 0, offline: 1 },
      ],
    });
    expect(body.cpu).toEqual({
      bucket_seconds: 60,
      points: [{ t: new Date(panel.clock.now()).toISOString(), p50: 20, p95: 96, nodes: 2 }],
    });
    expect(body.top_cpu).toMatchObject([{ id: `n${count}-2`, cpu_percent: 96 }]);
    expect(body.recent_alerts).toHaveLength(1);
    panel.live.remove(quiet);
    expect((await get("/overview?range=1h&top=1&alerts=1")).body).toEqual(body);
    await panel.clock.advance(seconds(20));
    expect((await get("/overview?range=1h&top=1&alerts=1")).body.totals.total.value).toBe(2);
  });

  test("processor use is kept by the minute, then by the quarter of an hour", async () => {
    const id = await grow(1, null);
    for (let minute = 0; minute < 32; minute++) {
      await send(id, { cpu: minute < 15 ? 10 : 30 });
      await panel.runJob("fleet.cpu");
      await panel.clock.advance(minutes(1));
    }
    await send(id, { cpu: 50 });
    const day = (await get("/overview?range=24h")).body.cpu;
    expect(day.points.map(({ p50 }: { p50: number }) => p50)).toEqual([10, 30, 40]);
    expect((await get("/overview?range=1h")).body.cpu.points).toHaveLength(33);
    expect((await get("/overview?range=6h")).body.cpu).toMatchObject({ bucket_seconds: 300 });
    expect((await get("/overview?range=7d")).body.cpu.points).toHaveLength(1);
    await panel.clock.advance(days(9));
    await send(id, { cpu: 60 });
    await panel.runJob("fleet.cpu");
    const rows = "SELECT span_ms, p50 FROM fleet_cpu WHERE tenant_id = ? ORDER BY span_ms";
    expect(await panel.system.all(rows, [ada.tenant_id])).toEqual([
      { span_ms: minutes(1), p50: 60 },
      { span_ms: minutes(15), p50: 60 },
    ]);
  });

  test("the map has a row for each region and a cell for each node", async () => {
    await grow(10, { cpu: 12.345, memory: 1 }, { region: "eu", client_id: null });
    const gone = await grow(9, { cpu: 50 }, { region: "eu", hostname: 'host-9 "x"' });
    const facts = panel.live.of(ada.tenant_id).get(gone);
    if (facts) panel.live.put({ ...facts, marked_offline: true });
    await grow(8, { cpu: 40 }, { client_id: null, client_name: null });
    const { body, headers } = await get("/heatmap?metric=cpu");
    expect(headers.get("content-type")).toContain("application/json");
    expect(Value.Check(Heatmap, body)).toBe(true);
    expect(body).toEqual({
      metric: "cpu",
      total: 3,
      rows: [
        {
          region: "eu",
          total: 2,
          online: 1,
          degraded: 0,
          offline: 1,
          avg: 12.35,
          cells: [
            { id: gone, host: 'host-9 "x"', status: "offline", value: null, tenant: null },
            { id: `n${count}-10`, host: "host-10", status: "online", value: 12.35, tenant: null },
          ],
        },
        {
          region: "unknown",
          total: 1,
          online: 1,
          degraded: 0,
          offline: 0,
          avg: 40,
          cells: [{ id: `n${count}-8`, host: "host-8", status: "online", value: 40, tenant: null }],
        },
      ],
    });
    const cells = (await get("/heatmap")).body;
    expect(Value.Check(HeatCells, cells)).toBe(true);
    expect(cells.cells).toEqual(body.rows.flatMap((row: { cells: unknown[] }) => row.cells));
    expect((await get("/regions")).body).toEqual([
      { region: "eu", total: 2, online: 1, degraded: 0, offline: 1, nodes: 2 },
      { region: "unknown", total: 1, online: 1, degraded: 0, offline: 0, nodes: 1 },
    ]);
  });

  test("clusters come in pages, a thousand at most at a time", async () => {
    for (let no = 1; no <= 1_001; no++) {
      const cluster = { id: `c${String(no).padStart(4, "0")}`, role: "manager", peers: [] };
      const id = `many-${count}-${no}`;
      panel.live.put(nodeFacts(200_000 + no, { id, tenant_id: ada.tenant_id, inventory: { cluster } }));
    }
    const idsOf = async (query: string) => (await get(`/clusters${query}`)).body.map(({ id }: { id: string }) => id);
    const first = await idsOf("");
    expect([first.length, first[0], first.at(-1)]).toEqual([1_000, "c0001", "c1000"]);
    expect(await idsOf("?page=2")).toEqual(["c1001"]);
    expect(await idsOf("?page=3&per_page=2")).toEqual(["c0005", "c0006"]);
    expect(await idsOf("?page=4")).toEqual([]);
    for (const query of ["per_page=1001", "per_page=0", "page=0"])
      expect((await get(`/clusters?${query}`)).body.code).toBe("invalid_request");
  });

  test("two workspaces in one and the same cluster see their own part of it", async () => {
    const bob = await panel.join(`bob${count}`);
    const report = (own: string, other: string, role: string) => ({
      ...{ id: "shared", name: "main", role, key: `os:${own}`, leader: "os:a", term: null },
      peers: [{ key: `os:${other}`, host: `as-${own}-calls-${other}`, status: "up", role: "manager" }],
    });
    await grow(1, {}, { inventory: { cluster: report("a", "b", "leader") }, hostname: "adas-secret" });
    const id = `b${count}-1`;
    const inventory = { cluster: report("b", "a", "manager") };
    panel.live.put(nodeFacts(90_000 + count, { id, tenant_id: bob.tenant_id, hostname: "bobs-secret", inventory }));
    const ask = async (person: Person, path: string) =>
      (await panel.call(`GET /api/fleet/clusters${path}`, { token: await panel.signIn(person) })).body;
    const adas = await ask(ada, "/shared/topology");
    expect(adas.nodes.map(({ key, host }: Record<string, string>) => `${key} ${host}`)).toEqual([
      `n${count}-1 adas-secret`,
      "os:b as-a-calls-b",
    ]);
    expect(JSON.stringify([adas, await ask(ada, "")])).not.toContain("bobs-secret");
    const bobs = JSON.stringify([await ask(bob, "/shared/topology"), await ask(bob, "")]);
    expect(bobs).toContain("bobs-secret");
    for (const hidden of ["adas-secret", `n${count}-1`]) expect(bobs).not.toContain(hidden);
  });

  test("snapshots are taken once an hour and kept eight days", async () => {
    await grow(1);
    const taken = async () =>
      (await panel.system.all("SELECT at FROM fleet_snapshots WHERE tenant_id = ?", [ada.tenant_id])).length;
    await panel.clock.advance(hours(1));
    await panel.runJob("fleet.snapshots");
    await panel.clock.advance(minutes(1));
    await panel.runJob("fleet.snapshots");
    expect(await taken()).toBe(1);
    await panel.clock.advance(hours(1));
    await panel.runJob("fleet.snapshots");
    expect(await taken()).toBe(2);
    await panel.clock.advance(days(9));
    await panel.runJob("fleet.snapshots");
    expect(await taken()).toBe(1);
  });
});
