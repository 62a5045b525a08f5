import { beforeEach, expect, test } from "bun:test";
import { heartbeatBody } from "../../../../tests/kit/agent-panel.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createPanelBase } from "../../../../tests/kit/panel-base.ts";
import { createTestNodes, type TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import type { HeartbeatInput } from "../../../shared/agent-protocol/index.ts";
import { listAlerts } from "../../fleet/fleet/alerts.ts";
import { listNodeRows } from "../nodes/node-store.ts";
import { createSamples } from "../samples/index.ts";
import { createLive, factsOf, type LiveStore } from "./index.ts";
import { liveTables } from "./journal-store.ts";

const beat = (more: object) => ({ ...heartbeatBody(), hostname: "h", ...more }) as HeartbeatInput;

const metrics = (cpu_percent: number) => ({
  metrics: { cpu_percent, memory_percent: 2, disk_percent: 3, net_in: 4, net_out: null },
});

onEachEngine("the fleet through time", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let nodes: TestNodes;
  let tenant: string;
  beforeEach(async () => {
    panel = await createTestPanel(await databases.open());
    nodes = createTestNodes(panel);
    tenant = (await panel.join("owner")).tenant_id;
  });

  const statusOf = (nodeId: string, live: LiveStore = panel.live) => {
    const fleet = live.of(tenant);
    return fleet.verdict(fleet.get(nodeId)?.no ?? -1).status;
  };
  const transitions = async () => {
    const rows = await panel.system.all<{ node_id: string; from_status: string; to_status: string; reasons: string }>(
      "SELECT node_id, from_status, to_status, reasons FROM node_transitions WHERE tenant_id = ? ORDER BY at",
      [tenant],
    );
    return rows.map((row) => `${row.node_id} ${row.from_status}>${row.to_status} ${row.reasons}`);
  };
  /** Turns the clock on, no faster than the database follows. */
  async function pass(ms: number, live: LiveStore = panel.live) {
    for (let left = ms; left > 0; left -= 1_000) {
      await panel.clock.advance(Math.min(left, 1_000));
      await live.settled();
    }
  }
  /** A second store on the same tables, as after a kill. */
  async function restart(): Promise<LiveStore> {
    const { clock, db } = panel;
    const base = createPanelBase(clock);
    const again = createLive({ ...base, db, samples: createSamples({ ...base, samplesDb: db }) });
    for (const row of await listNodeRows(panel.system, 0, 1_000)) again.put(factsOf(row));
    await again.start();
    return again;
  }

  test("silence is found by the second, recorded and told once", async () => {
    await panel.live.start();
    const told: string[] = [];
    panel.live.onChange(tenant, (change) => change.kind === "status" && told.push(change.transition.to));
    await nodes.enrol(tenant, "n1");
    await nodes.enrol(tenant, "n2");
    await nodes.heartbeat("n1");
    await pass(seconds(90));
    expect(statusOf("n1")).toBe("online");
    await pass(seconds(2));
    expect(statusOf("n1")).toBe("degraded");
    await pass(minutes(10));
    await nodes.heartbeat("n1", metrics(95));
    const expected = [
      "n1 pending>online []",
      'n1 online>degraded ["heartbeat_late"]',
      'n1 degraded>offline ["heartbeat_missing"]',
      'n1 offline>degraded ["cpu_high"]',
    ];
    expect(await transitions()).toEqual(expected);
    expect(told).toEqual(["online", "degraded", "offline", "degraded"]);
    expect(statusOf("n2")).toBe("pending");
    await panel.live.stop();
  });

  test("what changes several times in a millisecond is kept each time, in its order, and a clock that was set back is followed", async () => {
    await nodes.enrol(tenant, "n1");
    await nodes.heartbeat("n1", metrics(7));
    await nodes.heartbeat("n1", metrics(95));
    const facts = panel.live.of(tenant).get("n1");
    if (facts) panel.live.put({ ...facts, marked_offline: true });
    await panel.live.settled();
    await nodes.heartbeat("n1", metrics(7));
    expect(await transitions()).toEqual([
      "n1 pending>online []",
      'n1 online>degraded ["cpu_high"]',
      'n1 degraded>offline ["heartbeat_missing"]',
      "n1 offline>online []",
    ]);
    panel.clock.jump(-hours(1));
    await nodes.heartbeat("n1", metrics(95));
    expect((await transitions())[0]).toBe('n1 online>degraded ["cpu_high"]');
  });

  test("a figure that plays about its limit is recorded once, silence that ends at once", async () => {
    await panel.live.start();
    await nodes.enrol(tenant, "n1");
    for (let beat = 0; beat < 12; beat++) {
      await nodes.heartbeat("n1", metrics(beat % 2 === 0 ? 95 : 10));
      expect(statusOf("n1")).toBe(beat % 2 === 0 ? "degraded" : "online");
      await pass(seconds(20));
    }
    expect((await transitions()).length).toBe(1);
    for (let beat = 0; beat < 5; beat++) {
      await nodes.heartbeat("n1", metrics(10));
      await pass(seconds(20));
    }
    expect((await transitions()).at(-1)).toBe("n1 degraded>online []");
    await pass(seconds(92));
    await nodes.heartbeat("n1", metrics(10));
    expect((await transitions()).slice(2)).toEqual(['n1 online>degraded ["heartbeat_late"]', "n1 degraded>online []"]);
    await panel.live.stop();
  });

  test("what a node tells is on disk before it is answered, and only when it is new", async () => {
    await nodes.enrol(tenant, "n1");
    const app = {
      app_id: "a",
      name: "A",
      status: "running",
      image: "i",
      cpu_percent: 1,
      mem_bytes: 2,
      restart_count: 0,
    };
    const row = () =>
      panel.system.get<{ hostname: string; inventory: string; apps: string; inventory_hash: string }>(
        "SELECT hostname, inventory, apps, inventory_hash FROM nodes WHERE id = 'n1'",
      );
    const inventory = { region: "eu", ip_addresses: ["10.0.0.1"], ip_address: "10.0.0.1" };
    await nodes.heartbeat("n1", { hostname: "atlas\u0000", inventory, apps: [app] });
    expect(await row()).toMatchObject({ hostname: "atlas\uFFFD", inventory: JSON.stringify(inventory) });
    const fleet = panel.live.of(tenant);
    expect(fleet.get("n1")).toMatchObject({ region: "eu", region_source: "auto", ip_address: "10.0.0.1" });
    const version = fleet.version();
    const same = { hostname: "atlas\u0000", inventory };
    await nodes.heartbeat("n1", { ...same, apps: [{ ...app, cpu_percent: 50 }] });
    expect([fleet.version(), fleet.nodes()[0]?.apps[0]?.cpu_percent]).toEqual([version, 1]);
    expect(fleet.get("n1")?.apps[0]?.cpu_percent).toBe(50);
    await pass(seconds(1));
    await nodes.heartbeat("n1", { ...same, apps: [{ ...app, status: "dead" }] });
    expect(fleet.get("n1")?.failed_apps).toBe(1);
    expect(JSON.parse((await row())?.apps ?? "")[0].status).toBe("dead");
    expect((await transitions()).at(-1)).toBe('n1 online>degraded ["app_failed"]');
  });

  test("after a restart what was known holds, and nobody else is late before 90 seconds", async () => {
    await panel.live.start();
    for (const id of ["gone", "late", "fine", "never"]) await nodes.enrol(tenant, id);
    for (const id of ["gone", "late", "fine"]) await nodes.heartbeat(id, metrics(7));
    await pass(minutes(9));
    await nodes.heartbeat("late");
    await pass(seconds(100));
    await nodes.heartbeat("fine", metrics(8));
    await panel.live.stop();
    panel.clock.jump(hours(5));
    const live = await restart();
    const statuses = () => ["gone", "late", "fine", "never"].map((id) => statusOf(id, live));
    // Online five hours ago says nothing about now.
    expect(statuses()).toEqual(["offline", "degraded", "pending", "pending"]);
    const fleet = live.of(tenant);
    const fine = fleet.get("fine")?.no ?? -1;
    expect(fleet.figures(fine).cpu).toBe(8);
    expect(fleet.verdict(fine).reasons).toEqual(["not_yet_heard"]);
    expect(
      listAlerts(fleet, 10)
        .alerts.map(({ id }) => id)
        .sort(),
    ).toEqual(["gone:heartbeat_missing", "late:heartbeat_late", "never:never_connected"]);
    const recorded = await transitions();
    await pass(seconds(90), live);
    expect(statuses()).toEqual(["offline", "degraded", "pending", "pending"]);
    expect(await transitions()).toEqual(recorded);
    await pass(seconds(2), live);
    expect(statuses()).toEqual(["offline", "degraded", "degraded", "pending"]);
    const before = (await transitions()).length;
    await pass(minutes(9), live);
    expect(statuses()).toEqual(["offline", "offline", "offline", "pending"]);
    expect((await transitions()).slice(before)).toHaveLength(2);
    await live.stop();
  });

  test("a node keeps the newest of its changes, and so many of them, however often it says that it changed", async () => {
    const db = await databases.open();
    panel = await createTestPanel(db);
    nodes = createTestNodes(panel);
    tenant = (await panel.join("owner")).tenant_id;
    for (const [id, count] of [
      ["busy", 7],
      ["calm", 2],
    ] as const) {
      await nodes.enrol(tenant, id);
      for (let at = 1; at <= count; at++)
        await panel.system.run(
          `INSERT INTO node_transitions (tenant_id, node_id, at, from_status, to_status, reasons)
           VALUES (?, ?, ?, 'online', 'degraded', '[]')`,
          [tenant, id, at],
        );
    }
    await liveTables(db).forgetSurplus(3);
    const rows = await panel.system.all<{ node_id: string; at: number }>(
      "SELECT node_id, at FROM node_transitions WHERE tenant_id = ? ORDER BY node_id, at",
      [tenant],
    );
    expect(rows.map(({ node_id, at }) => `${node_id} ${at}`)).toEqual([
      "busy 5",
      "busy 6",
      "busy 7",
      "calm 1",
      "calm 2",
    ]);
  });

  test("after a kill every node is as it was last answered, and ill since when it was", async () => {
    const ids = ["a", "b", "c", "d"];
    for (const id of ids) await nodes.enrol(tenant, id);
    await panel.live.start();
    const states = (live: LiveStore) => {
      const fleet = live.of(tenant);
      return ids.map((id) => {
        const { no } = fleet.get(id) ?? { no: -1 };
        const { status, reasons } = fleet.verdict(no);
        return { id, status, since: reasons.map((reason) => [reason, fleet.since(no, reason)]), ...fleet.figures(no) };
      });
    };
    const random = seeded(7);
    let live: LiveStore = panel.live;
    for (let step = 0; step < 40; step++) {
      const id = ids[step % ids.length] ?? "a";
      const no = live.of(tenant).get(id)?.no ?? -1;
      const told = { status: random() < 0.3 ? "critical" : "ok", ...metrics(random() < 0.4 ? 95 : 20) } as const;
      await live.heartbeat({ ...beat(told), uptime_seconds: step }, { nodeId: id, tenantId: tenant, serial: "s" });
      expect(live.of(tenant).figures(no).uptime_seconds).toBe(step);
      await pass(Math.floor(random() * 15) * 1_000, live);
      if (random() > 0.4) continue;
      const before = states(live);
      const recorded = await transitions();
      // It writes nothing as it stops, so that this is as a kill; running on, it would write beside the next one.
      await live.stop();
      live = await restart();
      expect(states(live)).toEqual(before);
      await pass(seconds(3), live);
      expect(await transitions()).toEqual(recorded);
    }
  });

  test("a panel that is killed again and again tells who is away all the same, and blames nobody who comes", async () => {
    for (const id of ["gone", "comes"]) await nodes.enrol(tenant, id);
    await panel.live.start();
    for (const id of ["gone", "comes"]) await nodes.heartbeat(id, metrics(7));
    await pass(seconds(20));
    let live: LiveStore = panel.live;
    for (let kills = 0; kills < 140 && statusOf("gone", live) !== "offline"; kills++) {
      await live.stop();
      // While nobody listens nobody is silent.
      panel.clock.jump(seconds(40));
      live = await restart();
      if (kills % 9 === 0) await live.heartbeat(beat(metrics(8)), { nodeId: "comes", tenantId: tenant, serial: "s" });
      await pass(seconds(5), live);
    }
    const told = (await transitions()).filter((line) => !line.includes("pending>online"));
    expect(told).toEqual(['gone online>degraded ["heartbeat_late"]', 'gone degraded>offline ["heartbeat_missing"]']);
    expect(statusOf("comes", live)).not.toBe("offline");
    const alerts = listAlerts(live.of(tenant), 10).alerts.map(({ id }) => id);
    expect(alerts).toEqual(["gone:heartbeat_missing"]);
    const rows = await panel.system.all("SELECT began_at FROM listening_runs", []);
    expect(rows.length).toBeLessThan(150);
    await live.stop();
  });

  test("a node that was deleted and came back begins anew, also after a restart", async () => {
    await nodes.enrol(tenant, "n1");
    await nodes.heartbeat("n1");
    await panel.live.stop();
    await pass(seconds(1));
    await panel.tenant(tenant).tx((tx) => panel.nodes.deleteNode(tx, "n1"));
    await pass(seconds(1));
    await nodes.enrol(tenant, "n1");
    expect(statusOf("n1")).toBe("pending");
    const live = await restart();
    expect(statusOf("n1", live)).toBe("pending");
    await live.stop();
  });

  test("the last hour comes back after a restart", async () => {
    await nodes.enrol(tenant, "n1");
    for (const cpu of [10, 30, 50]) {
      await nodes.heartbeat("n1", metrics(cpu));
      await pass(seconds(40));
    }
    await panel.samples.flush();
    const before = panel.live.of(tenant).lastHour(panel.live.of(tenant).get("n1")?.no ?? -1);
    expect(before.cpu).toEqual([20, 50]);
    const live = await restart();
    const fleet = live.of(tenant);
    const no = fleet.get("n1")?.no ?? -1;
    await until(() => fleet.lastHour(no).t.length > 0, { everyMs: 2 });
    expect(fleet.lastHour(no)).toEqual(before);
    await live.heartbeat(
      { ...heartbeatBody(), status: "ok", hostname: "h" },
      { nodeId: "n1", tenantId: tenant, serial: "s" },
    );
    expect(fleet.lastHour(no).cpu).toEqual([20, 50, 1]);
    await live.stop();
  });

  test("samples go on from the store's heartbeats", async () => {
    await nodes.enrol(tenant, "n1");
    await nodes.heartbeat("n1", metrics(42));
    await panel.samples.flush();
    const fleet = panel.live.of(tenant);
    const no = fleet.get("n1")?.no ?? -1;
    expect(await fleet.history.range(no, 0, panel.clock.now() + 1)).toMatchObject([{ cpu: 42, net_out: null }]);
    expect(await panel.live.of("other").history.range(no, 0, panel.clock.now() + 1)).toEqual([]);
  });
});
