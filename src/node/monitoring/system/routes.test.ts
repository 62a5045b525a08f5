import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { machine } from "node:os";
import { join } from "node:path";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

const root = new URL("../../machine/fixtures/debian-vm", import.meta.url).pathname;
const open: TestNode[] = [];
function testNode(config: Parameters<typeof createTestNode>[0] = {}): TestNode {
  const node = createTestNode({ host_root: root, ...config });
  open.push(node);
  return node;
}
afterAll(() => {
  for (const node of open) node.close();
});

const node = testNode();
const MODEL = "Intel(R) Xeon(R) Processor";

test("system info", async () => {
  const { status, body } = await node.call("GET /api/system/info", { as: "viewer" });
  expect(status).toBe(200);
  expect(body).toEqual({
    hostname: "atlas",
    os: "Debian GNU/Linux 12 (bookworm)",
    kernel: readFileSync(join(root, "proc/sys/kernel/osrelease"), "utf8").trim(),
    architecture: machine(),
    version: "1.2.3",
    uptime_seconds: 3096,
    node_id: expect.stringMatching(/^node_[0-9a-f]{26}$/),
  });
});

describe("the node's id", () => {
  test("stays, is kept in the data folder and is not the machine's", async () => {
    const ask = async () => (await node.call("GET /api/system/info", { as: "viewer" })).body.node_id;
    const id = await ask();
    expect(await ask()).toBe(id);
    expect(readFileSync(join(node.dataDir, "node-id"), "utf8").trim()).toBe(id);
    expect(id).not.toContain("0123456789abcdef");
  });

  test("differs between two data folders of one machine", async () => {
    const { body } = await testNode().call("GET /api/system/info", { as: "viewer" });
    expect(body.node_id).not.toBe((await node.call("GET /api/system/info", { as: "viewer" })).body.node_id);
  });

  test("moves with the data", async () => {
    const moved = testNode();
    writeFileSync(join(moved.dataDir, "node-id"), "node_fromtheoldmachine\n");
    const { body } = await moved.call("GET /api/system/info", { as: "viewer" });
    expect(body.node_id).toBe("node_fromtheoldmachine");
  });

  test("is made up where the machine has none, and then stays", async () => {
    const bare = testNode({ host_root: "/nonexistent" });
    const { body } = await bare.call("GET /api/system/info", { as: "viewer" });
    expect(body.node_id).toMatch(/^node_\w+$/);
    expect((await bare.call("GET /api/system/info", { as: "viewer" })).body.node_id).toBe(body.node_id);
  });
});

test("live metrics have exactly the contract's fields", async () => {
  const { status, body } = await node.call("GET /api/system/metrics/live", { as: "viewer" });
  expect(status).toBe(200);
  expect(body).toEqual({
    at: "2026-01-01T00:00:00.000Z",
    cpu_percent: 0,
    per_core: [0, 0],
    cpu_temp_c: body.cpu_temp_c,
    load: [0.4, 0.17, 0.11],
    ram_used_bytes: (24684096 - 23733140) * 1024,
    ram_total_bytes: 24684096 * 1024,
    swap_used_bytes: 0,
    net: { iface: "eth0", rx_bytes_per_sec: 0, tx_bytes_per_sec: 0 },
    ifaces: [{ name: "eth0", rx_bytes_per_sec: 0, tx_bytes_per_sec: 0 }],
    disk_io: { read_bytes_per_sec: 0, write_bytes_per_sec: 0 },
  });
  expect([null, 47.3]).toContain(body.cpu_temp_c);
});

test("current metrics", async () => {
  const { status, body } = await node.call("GET /api/system/metrics/current", { as: "viewer" });
  expect(status).toBe(200);
  expect(body).toEqual({
    cpu: { usage_percent: 0, cores: 2, model: MODEL },
    memory: { total_mb: 24106, used_mb: 929, usage_percent: 3.9 },
    disk: { total_gb: expect.any(Number), used_gb: expect.any(Number), usage_percent: expect.any(Number) },
    uptime_seconds: 3096,
  });
  expect(body.disk.total_gb).toBeGreaterThan(0);
});

test("filesystems", async () => {
  const { status, body } = await node.call("GET /api/system/disks", { as: "viewer" });
  expect(status).toBe(200);
  expect(body).toHaveLength(1);
  expect(Object.keys(body[0])).toEqual([
    "device",
    "mount_point",
    "fs_type",
    "total_bytes",
    "used_bytes",
    "free_bytes",
    "usage_percent",
  ]);
});

test("the overview answers every block, without source 0 and null", async () => {
  const { status, body } = await node.call("GET /api/system/overview", { as: "viewer" });
  expect(status).toBe(200);
  expect(body).toEqual({
    hostname: "atlas",
    os: "Debian GNU/Linux 12 (bookworm)",
    kernel: expect.any(String),
    arch: machine(),
    cpu_model: MODEL,
    cpu_cores: 2,
    cpu_threads: 2,
    ram_total_bytes: 24684096 * 1024,
    uptime_seconds: 3096,
    version: "1.2.3",
    apps: { installed: 0, running: 0 },
    containers: { running: 0, total: 0 },
    proxy_routes: 0,
    backup: { status: "none", last_success_at: null, last_verified_at: null, last_size_bytes: 0 },
    alerts: { open: 0, critical: 0 },
    security: { score: 0, max: 0, last_scan_at: null },
  });
});

test("the overview is kept for 5 seconds", async () => {
  const fresh = testNode();
  const name = async () => (await fresh.call("GET /api/system/overview", { as: "viewer" })).body.hostname;
  expect(await name()).toBe("atlas");
  fresh.ctx.settings.put({ "node.name": "vega" });
  await fresh.clock.advance(4_900);
  expect(await name()).toBe("atlas");
  await fresh.clock.advance(100);
  expect(await name()).toBe("vega");
});

test("a machine that shows nothing still answers everywhere", async () => {
  const bare = testNode({ host_root: "/nonexistent" });
  for (const path of ["info", "overview", "disks", "metrics/current", "metrics/live"]) {
    expect([path, (await bare.call(`GET /api/system/${path}`, { as: "viewer" })).status]).toEqual([path, 200]);
  }
});

test("this very machine answers everywhere", async () => {
  const real = createTestNode();
  open.push(real);
  for (const path of ["info", "overview", "disks", "metrics/current", "metrics/live"]) {
    expect([path, (await real.call(`GET /api/system/${path}`, { as: "viewer" })).status]).toEqual([path, 200]);
  }
});
