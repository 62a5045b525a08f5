import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { plantHost } from "../../../../tests/kit/host-tree.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { fullestOf, fullness, joinRooms } from "../../machine/index.ts";

const root = plantHost(`
[sys/devices/pci0000:00/0000:00:02.0/virtio1/block/vda]
dev = 254:0
size = 536870912
queue/rotational = 0
[sys/block]
vda -> ../devices/pci0000:00/0000:00:02.0/virtio1/block/vda
[proc/1]
mountinfo = 28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
[proc]
stat = cpu  1 0 0 1 0 0 0 0
meminfo = MemTotal: 1000 kB
`);
const node = createTestNode({ host_root: root, smartctl: "/nonexistent/smartctl" });
afterAll(() => {
  node.close();
  rmSync(root, { recursive: true });
});

const get = async (path: string) => (await node.call(`GET /api/${path}`, { as: "viewer" })).body;

test("what is reserved is neither used nor free: 31.5 used and 72.5 free of 271 are 30.3 %", () => {
  expect(fullness({ used: 31.5, free: 72.5 })).toBe(30.3);
  expect(fullness({ used: 0, free: 0 })).toBe(0);
});

test("a pool whose datasets share their room has that room once", () => {
  const free = 60;
  expect(joinRooms([10, 30].map((used) => ({ used, free })))).toEqual({ used: 40, free });
  expect(joinRooms([])).toEqual({ used: 0, free: 0 });
});

test("the fullest filesystem stands for the machine", () => {
  expect(fullestOf([{ usage_percent: 3 }, { usage_percent: 91 }, { usage_percent: 40 }])).toEqual({
    usage_percent: 91,
  });
  expect(fullestOf([])).toBeNull();
});

test("one disk has one reading, wherever it is asked for", async () => {
  const { disk } = await get("system/metrics/current");
  const [filesystem] = await get("system/disks");
  const [physical] = await get("disks/overview");
  const { usage_percent, used_bytes, free_bytes } = filesystem;
  // The disk is the real one, and others write to it while it is read: a point more or less is the same reading.
  const isNear = (percent: number): boolean => Math.abs(percent - usage_percent) < 1;
  expect([disk.usage_percent, physical.used_percent].filter((each) => !isNear(each))).toEqual([]);
  expect(Math.abs(physical.used_bytes - used_bytes)).toBeLessThan((used_bytes + free_bytes) / 100);
  expect(disk.total_gb).toBeCloseTo((used_bytes + free_bytes) / 2 ** 30, 1);
  expect(isNear((disk.used_gb / disk.total_gb) * 100)).toBe(true);
});
