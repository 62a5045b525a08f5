import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import { inventoryOf } from "../../../../shared/agent-protocol/index.ts";
import { hardwareFingerprint } from "../fingerprint.ts";
import { readAddresses } from "./addresses.ts";
import { reportApps, urgentPart } from "./app-reports.ts";
import { parseInstanceData, readCloudPlace } from "./cloud.ts";
import { readInventory } from "./inventory.ts";
import { reportMetrics } from "./metrics.ts";

test("failed requests are a share of those since the last report, and none of none is none", () => {
  const series = { latest: () => null };
  expect(reportMetrics({ series }, { answers: 300, failures: 1 })).toMatchObject({ error_rate: 0.33, requests: 300 });
  expect(reportMetrics({ series }, { answers: 0, failures: 0 })).toMatchObject({ error_rate: 0, requests: 0 });
});

describe("addresses", () => {
  const nic = (name: string, addresses: string[], is_up = true) => ({ name, is_up, addresses });

  test("the way out comes first, IPv4 before IPv6, and what holds on one link only is left out", () => {
    const interfaces = [
      nic("docker0", ["172.17.0.1/16"]),
      nic("eth0", ["fe80::1/64", "2a01:4f8::5/64", "10.0.0.5/24"]),
      nic("eth1", ["203.0.114.9/24", "169.254.1.1/16"]),
      nic("eth2", ["192.168.7.7/24"], false),
    ];
    expect(readAddresses(interfaces, "eth0")).toEqual({
      ip_address: "10.0.0.5",
      public_ip: "2a01:4f8::5",
      ip_addresses: ["10.0.0.5", "2a01:4f8::5", "172.17.0.1", "203.0.114.9"],
    });
    expect(readAddresses([], null)).toEqual({ ip_address: null, public_ip: null, ip_addresses: [] });
  });

  test("hundreds are cut, and none is told twice", () => {
    const many = Array.from({ length: 300 }, (_, i) => nic(`br${i}`, [`172.18.${i % 200}.1/24`]));
    const { ip_addresses } = readAddresses(many, null);
    expect(ip_addresses).toHaveLength(32);
    expect(new Set(ip_addresses).size).toBe(32);
  });
});

describe("the cloud a machine says it is in", () => {
  const v1 = (facts: Record<string, unknown>) => JSON.stringify({ v1: facts });

  test.each([
    [
      v1({ cloud_name: "aws", region: "eu-central-1", availability_zone: "eu-central-1a" }),
      "aws",
      "eu-central-1",
      "eu-central-1a",
    ],
    [v1({ cloud_name: "Hetzner", region: "eu-central", availability_zone: null }), "hetzner", "eu-central", null],
    [v1({ cloud_name: "nocloud", region: "x" }), null, null, null],
    [v1({ cloud_name: 7 }), null, null, null],
    ["{}", null, null, null],
    ["not json", null, null, null],
  ])("%s", (text, cloud_provider, region, zone) => {
    expect(parseInstanceData(text)).toEqual({ cloud_provider, region, zone });
  });

  test("the board tells the provider where cloud-init does not", () => {
    const root = makeScratch("cloud");
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    expect(readCloudPlace(root)).toEqual({ cloud_provider: null, region: null, zone: null });
    put("sys/class/dmi/id/sys_vendor", "QEMU\n");
    expect(readCloudPlace(root).cloud_provider).toBeNull();
    put("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    expect(readCloudPlace(root)).toEqual({ cloud_provider: "aws", region: null, zone: null });
    put("run/cloud-init/instance-data.json", v1({ cloud_name: "gcp", region: "europe-west3" }));
    expect(readCloudPlace(root)).toEqual({ cloud_provider: "gcp", region: "europe-west3", zone: null });
  });
});

describe("a node", () => {
  let node: TestNode;
  beforeEach(() => {
    node = createTestNode();
  });
  afterEach(() => node.close());

  test("tells an inventory that the panel reads under its own names, the same each time", async () => {
    const first = { ...(await readInventory(node.ctx, null)) };
    for (const name of ["os", "kernel", "cpu_model", "cpu_cores", "memory_bytes", "disk_bytes", "boot_time"] as const) {
      expect([name, inventoryOf[name](first)]).toEqual([name, first[name]]);
    }
    expect(inventoryOf.ip_addresses(first)).toEqual(first.ip_addresses);
    // As large as the pages of the node say.
    const rooms = (await node.ctx.host.filesystems()).map(({ used_bytes, free_bytes }) => used_bytes + free_bytes);
    const room = rooms.reduce((sum, bytes) => sum + bytes, 0);
    expect(Math.abs((first.disk_bytes ?? 0) - room)).toBeLessThan(2e9);
    // Other tests may give this machine a network meanwhile, or take one.
    const { ip_addresses } = first;
    expect({ ...(await readInventory(node.ctx, null)), ip_addresses }).toEqual(first);
  });

  test("names its hardware without giving away what it is made of", () => {
    const fingerprint = hardwareFingerprint(node.ctx);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(hardwareFingerprint(node.ctx)).toBe(fingerprint);
    const other = { ...node.ctx, host: { ...node.ctx.host, machineId: () => "f".repeat(32) } };
    expect(hardwareFingerprint(other)).not.toBe(fingerprint);
  });

  test("tells its apps; a restart is urgent, another figure is not", () => {
    const { raw } = node.ctx.db;
    raw.run(
      `INSERT INTO apps (id, name, template, version, status, created_at, delete_data, config, manifest, compose)
       VALUES ('app_1', 'wiki', 'wiki', '1', 'running', '2026', 0, '{}', '{"main":{"service":"web"}}', '')`,
    );
    raw.run(
      `INSERT INTO app_services (app_id, name, image, state, restarts, oom_killed)
       VALUES ('app_1', 'db', 'postgres:16', 'running', 2, 0), ('app_1', 'web', 'wiki:1', 'running', 1, 0)`,
    );
    const [app] = reportApps({ apps: node.ctx.apps, series: node.ctx.metrics.series });
    expect(app).toEqual({
      app_id: "app_1",
      name: "wiki",
      status: "running",
      image: "wiki:1",
      cpu_percent: null,
      mem_bytes: null,
      restart_count: 3,
    });
    raw.run("UPDATE app_services SET state = 'restarting' WHERE name = 'db'");
    expect(reportApps({ apps: node.ctx.apps, series: node.ctx.metrics.series })[0]?.status).toBe("restarting");
    if (!app) return;
    expect(urgentPart([{ ...app, cpu_percent: 5 }])).not.toBe(urgentPart([app]));
    expect(urgentPart([{ ...app, cpu_percent: 5 }])).toBe(urgentPart([{ ...app, cpu_percent: 6, mem_bytes: 7 }]));
    expect(urgentPart([{ ...app, restart_count: 4 }])).not.toBe(urgentPart([app]));
  });
});
