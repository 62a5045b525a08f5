import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { toIso } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Values } from "./series/fold.ts";

const root = new URL("../../machine/fixtures/debian-vm", import.meta.url).pathname;
const START = Date.UTC(2026, 0, 1);
let node: TestNode;

const addApp = ({ ctx }: TestNode, id: string): void => {
  ctx.db.raw
    .query(
      `INSERT INTO apps (id, name, template, version, status, created_at, config, manifest, compose, delete_data)
       VALUES (?, ?, 'whoami', '1.0.0', 'running', '2026-01-01T00:00:00.000Z', '{}', '{}', '', 0)`,
    )
    .run(id, id.replace("app_", ""));
};

/** Sweeps for `span` of milliseconds, with figures that tell their minute. */
async function record({ ctx, clock }: TestNode, span: number): Promise<void> {
  const { now } = clock;
  for (const end = now() + span; now() < end; ) {
    await clock.advance(seconds(10));
    const minute = Math.floor((now() - START - 1) / minutes(1));
    ctx.metrics.recorder.add(
      new Map<string, Values>([
        ["host", { cpu_percent: minute, load1: 0.5, net_rx_bps: minute * 10, net_tx_bps: minute }],
        ["iface:eth0", { rx_bps: minute * 10, tx_bps: minute }],
        ["app:app_a", { cpu_percent: 2 * minute, mem_bytes: 1000 }],
      ]),
      [minute, 100 - minute],
    );
  }
}

beforeAll(async () => {
  node = createTestNode({ host_root: root });
  addApp(node, "app_a");
  addApp(node, "app_b");
  await record(node, minutes(20));
  await node.clock.advance(minutes(5));
  await record(node, minutes(10));
  await node.clock.advance(seconds(4));
});
afterAll(() => node.close());

const get = async (path: string) => (await node.call(`GET ${path}`, { as: "viewer" })).body;

test("each range has a point for each of its buckets, oldest first, the last one closed", async () => {
  for (const [range, count, bucketMs] of [
    ["1h", 60, minutes(1)],
    ["6h", 360, minutes(1)],
    ["24h", 1440, minutes(1)],
    ["7d", 168, minutes(60)],
    ["30d", 720, minutes(60)],
  ] as const) {
    const points = await get(`/api/system/metrics?range=${range}&metric=cpu`);
    expect([range, points.length]).toEqual([range, count]);
    const [first, second] = points.map(({ ts }: { ts: string }) => Date.parse(ts));
    expect(second - first).toBe(bucketMs);
  }
  const points = await get("/api/system/metrics?range=1h&metric=cpu");
  expect(points.at(-1)).toEqual({ ts: toIso(START + minutes(34)), value: 34, max: 34, load: 0.5, temp_c: null });
});

test("what was not measured is null, not 0 and not a line through", async () => {
  const points = await get("/api/system/metrics?range=1h&metric=network");
  const values = points.slice(-17).map(({ value }: { value: number | null }) => value);
  expect(values).toEqual([
    198,
    209,
    null,
    null,
    null,
    null,
    null,
    ...[25, 26, 27, 28, 29, 30, 31, 32, 33, 34].map((m) => m * 11),
  ]);
  expect(points[0]).toEqual({
    ts: toIso(START - minutes(25)),
    value: null,
    max: null,
    rx_bytes_per_sec: null,
    rx_bytes_per_sec_max: null,
    tx_bytes_per_sec: null,
    tx_bytes_per_sec_max: null,
  });
});

test.each([
  ["ram", ["max", "swap_used_bytes", "ts", "used_bytes", "value"]],
  [
    "disk",
    [
      "max",
      "read_bytes_per_sec",
      "read_bytes_per_sec_max",
      "ts",
      "value",
      "write_bytes_per_sec",
      "write_bytes_per_sec_max",
    ],
  ],
])("points of %s", async (metric, fields) => {
  const points = await get(`/api/system/metrics?range=7d&metric=${metric}`);
  expect(Object.keys(points.at(-1)).sort()).toEqual(fields);
});

test("the running hour is there as far as it has come", async () => {
  const points = await get("/api/system/metrics?range=7d&metric=cpu");
  expect(points.at(-1)).toMatchObject({ ts: toIso(START), max: 34 });
});

test("apps share one axis; one that did not run is null", async () => {
  const body = await get("/api/system/apps/metrics?range=1h");
  expect([body.range, body.bucket_seconds, body.ts.length]).toEqual(["1h", 60, 60]);
  expect(body.apps.map(({ app_id, name }: { app_id: string; name: string }) => [app_id, name])).toEqual([
    ["app_a", "a"],
    ["app_b", "b"],
  ]);
  expect(body.apps[0].cpu_percent.slice(-2)).toEqual([66, 68]);
  expect(body.apps[0].memory_bytes.at(-1)).toBe(1000);
  expect(body.apps[1].cpu_percent).toEqual(Array(60).fill(null));
  const one = await get("/api/system/apps/metrics?app_id=app_b&range=30d");
  expect([one.bucket_seconds, one.apps.length, one.ts.length]).toEqual([3600, 1, 720]);
});

describe("network history", () => {
  test.each([
    ["5m", 10, 30],
    ["15m", 30, 30],
    ["1h", 60, 60],
    ["6h", 300, 72],
    ["24h", 900, 96],
  ])("%s has buckets of %d s", async (range, bucket, count) => {
    const body = await get(`/api/network/history?interface=eth0&range=${range}`);
    expect([body.interface, body.range, body.bucket_seconds, body.points.length]).toEqual([
      "eth0",
      range,
      bucket,
      count,
    ]);
    const [first, second] = body.points.map(({ ts }: { ts: string }) => Date.parse(ts));
    expect([second - first, first % (bucket * 1000)]).toEqual([bucket * 1000, 0]);
  });

  test("an hour is the default; empty buckets report 0 and say so", async () => {
    const { range, points } = await get("/api/network/history?interface=eth0");
    expect(range).toBe("1h");
    expect(points.at(-1)).toEqual({
      ts: toIso(START + minutes(34)),
      rx_bytes_per_sec: 340,
      tx_bytes_per_sec: 34,
      measured: true,
    });
    expect(points.at(-12)).toEqual({
      ts: toIso(START + minutes(23)),
      rx_bytes_per_sec: 0,
      tx_bytes_per_sec: 0,
      measured: false,
    });
  });

  test("longer buckets are means of what was seen in them", async () => {
    const { points } = await get("/api/network/history?interface=eth0&range=6h");
    expect(points.slice(-3).map((point: { tx_bytes_per_sec: number }) => point.tx_bytes_per_sec)).toEqual([0, 27, 32]);
  });

  test("the newest 10 s are there", async () => {
    const { points } = await get("/api/network/history?interface=eth0&range=5m");
    expect(points.at(-1)).toEqual({
      ts: toIso(START + minutes(34) + seconds(50)),
      rx_bytes_per_sec: 340,
      tx_bytes_per_sec: 34,
      measured: true,
    });
  });

  test("an interface that the host has but nobody measured yet has only empty buckets", async () => {
    const { points } = await get("/api/network/history?interface=docker0");
    expect(points.every((point: { rx_bytes_per_sec: number }) => point.rx_bytes_per_sec === 0)).toBeTrue();
  });

  test("an interface that never was is a mistake, and the answer names those that are", async () => {
    const { status, body } = await node.call("GET /api/network/history?interface=wlan7", { as: "viewer" });
    expect([status, body.params.field, body.params.reason]).toEqual([
      400,
      "interface",
      expect.stringContaining("eth0"),
    ]);
  });

  test("an interface that is gone keeps its history", async () => {
    node.ctx.metrics.recorder.add(new Map([["iface:usb9", { rx_bps: 5, tx_bps: 5 }]]));
    expect((await node.call("GET /api/network/history?interface=usb9", { as: "viewer" })).status).toBe(200);
  });
});

test("recent samples are those of 10 minutes", async () => {
  const samples = await get("/api/system/metrics/recent");
  expect(samples).toHaveLength(59);
  expect(samples.at(-1)).toMatchObject({ cpu_percent: 34, rx_bytes_per_sec: 340, ram_used_bytes: null });
});

test("interfaces, the default route's first", async () => {
  const list = await get("/api/system/network/interfaces");
  expect(list[0]).toEqual({
    name: "eth0",
    kind: "ethernet",
    is_default: true,
    is_up: true,
    mac: "02:fc:00:00:00:05",
    mtu: 1500,
    speed_mbps: null,
    addresses: [],
    rx_bytes: 739623967,
    tx_bytes: 1427718,
    rx_bytes_per_sec: 0,
    tx_bytes_per_sec: 0,
  });
  expect(list.map(({ name }: { name: string }) => name)).toEqual(["eth0", "docker0"]);
});

test.each([
  ["/api/system/metrics?range=2h", "range"],
  ["/api/system/metrics?metric=gpu", "metric"],
  ["/api/system/metrics?what=1", "what"],
  ["/api/system/apps/metrics?range=5m", "range"],
  ["/api/network/history", "interface"],
  ["/api/network/history?interface=", "interface"],
  ["/api/network/history?interface=eth0&range=7d", "range"],
])("%s is refused", async (path, field) => {
  const { status, body } = await node.call(`GET ${path}`, { as: "viewer" });
  expect([status, body.code, body.params.field]).toEqual([400, "invalid_request", field]);
});

test("an app that is not there", async () => {
  const { status, body } = await node.call("GET /api/system/apps/metrics?app_id=app_none", { as: "viewer" });
  expect([status, body.code]).toEqual([404, "app_not_found"]);
});

describe("a part of the last year", () => {
  const part = (fromMs: number, toMs: number) => `from=${toIso(START + fromMs)}&to=${toIso(START + toMs)}`;

  test("has minutes within a day, hours within a month and days within a year, up to now", async () => {
    const seen = async (fromMs: number, toMs: number): Promise<[number, number]> => {
      const points = await get(`/api/system/metrics?metric=cpu&${part(fromMs, toMs)}`);
      const [first, second] = points.map(({ ts }: { ts: string }) => Date.parse(ts));
      return [points.length, (second - first) / 60_000];
    };
    expect(await seen(minutes(5), minutes(10))).toEqual([5, 1]);
    expect(await seen(-minutes(48 * 60), minutes(10))).toEqual([49, 60]);
    expect(await seen(-minutes(40 * 1440), minutes(30 * 1440))).toEqual([41, 1440]);
    expect(await seen(-minutes(4000 * 1440), minutes(30 * 1440))).toEqual([365, 1440]);
    const points = await get(`/api/system/metrics?metric=cpu&${part(minutes(5), minutes(10))}`);
    expect(points[0]).toMatchObject({ ts: toIso(START + minutes(5)), value: 5 });
    const apps = await get(`/api/system/apps/metrics?${part(minutes(5), minutes(10))}`);
    expect([apps.range, apps.ts.length, apps.apps[0].cpu_percent[0]]).toEqual([null, 5, 10]);
  });

  test("that lies ahead, or before everything, has no points", async () => {
    expect(await get(`/api/system/metrics?${part(minutes(600), minutes(700))}`)).toEqual([]);
    expect(await get(`/api/system/metrics?${part(-minutes(5000 * 1440), -minutes(4000 * 1440))}`)).toEqual([]);
    const threads = await get(`/api/system/metrics/threads?${part(minutes(600), minutes(700))}`);
    expect([threads.ts, threads.threads]).toEqual([[], []]);
  });

  test.each(["from=yesterday", "from=2026-01-02&to=2026-01-01", "to=2026-01-01", "from=2026-01-01&to=2026-02-30"])(
    "%s is refused with the field",
    async (query) => {
      for (const path of ["metrics", "metrics/threads", "apps/metrics"]) {
        const { status, body } = await node.call(`GET /api/system/${path}?${query}`, { as: "viewer" });
        expect([path, status, body.code]).toEqual([path, 400, "invalid_request"]);
      }
    },
  );
});

test("threads have a line each, gaps where nothing was measured, and at most 120 buckets", async () => {
  const hour = await get("/api/system/metrics/threads?range=1h");
  expect([hour.bucket_seconds, hour.ts.length, hour.threads.length]).toEqual([60, 60, 2]);
  const [first, second] = hour.threads;
  expect(first.slice(-12)).toEqual([null, null, ...[25, 26, 27, 28, 29, 30, 31, 32, 33, 34]]);
  expect(second.at(-1)).toBe(66);
  for (const range of ["6h", "24h", "7d", "30d"]) {
    const { ts, threads } = await get(`/api/system/metrics/threads?range=${range}`);
    expect(ts.length).toBeLessThanOrEqual(120);
    expect(threads[0].length).toBe(ts.length);
  }
});
