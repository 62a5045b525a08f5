import { afterEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createSpaceReader } from "../../kernel/host/space.ts";
import { createCounterReader } from "./counters.ts";
import { readFilesystems } from "./filesystems.ts";
import { procFile } from "./proc-file.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function hostCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-host-"));
  folders.push(folder);
  cpSync(new URL("fixtures/debian-vm", import.meta.url).pathname, folder, { recursive: true });
  return folder;
}

test("one sweep over a captured host", () => {
  const reader = createCounterReader(createFakeClock(), hostCopy());
  const counters = reader.read();
  expect(counters.defaultInterface).toBe("eth0");
  expect(counters.net.filter(({ physical }) => physical).map(({ name }) => name)).toEqual(["eth0"]);
  expect(counters.disks.map(({ name }) => name)).toEqual(["vda"]);
  expect(counters.memory.total).toBe(24684096 * 1024);
  expect(counters.load).toEqual([0.4, 0.17, 0.11]);
  reader.close();
});

test("values are read anew each time, and a device that comes later is found", async () => {
  const root = hostCopy();
  const clock = createFakeClock();
  const reader = createCounterReader(clock, root);
  reader.read();
  writeFileSync(join(root, "proc/loadavg"), "9.00 8.00 7.00 1/2 3\n");
  writeFileSync(join(root, "proc/diskstats"), "8 0 sdz 1 0 8 0 1 0 16 0 0 0 0\n");
  mkdirSync(join(root, "sys/block/sdz/device"), { recursive: true });
  expect(reader.read().disks).toEqual([{ name: "sdz", read: 4096, written: 8192 }]);
  await clock.advance(5_000);
  expect(reader.read().load).toEqual([9, 8, 7]);
  mkdirSync(join(root, "sys/class/net/docker0/device"), { recursive: true });
  await clock.advance(61_000);
  expect(reader.read().net.filter(({ physical }) => physical)).toHaveLength(2);
  reader.close();
});

test("a changed default route shows within 5 seconds", async () => {
  const root = hostCopy();
  const clock = createFakeClock();
  const reader = createCounterReader(clock, root);
  expect(reader.read().defaultInterface).toBe("eth0");
  writeFileSync(join(root, "proc/1/net/route"), "");
  writeFileSync(join(root, "proc/1/net/ipv6_route"), "");
  await clock.advance(5_000);
  expect(reader.read().defaultInterface).toBeNull();
  reader.close();
});

test("a host that shows nothing gives zeros instead of errors", () => {
  const counters = createCounterReader(createFakeClock(), "/nonexistent").read();
  expect(counters.net).toEqual([]);
  expect(counters.memory.total).toBe(0);
  expect(counters.cpu.all).toEqual([]);
});

test("a held file longer than a page is read whole", () => {
  const root = hostCopy();
  const long = Array.from({ length: 3000 }, (_, index) => `line ${index}`).join("\n");
  writeFileSync(join(root, "proc/long"), long);
  const file = procFile(join(root, "proc/long"));
  expect(file.read()).toBe(long);
  expect(file.read()).toBe(long);
  file.close();
});

test("this machine's own kernel files come whole through held descriptors", async () => {
  for (const path of ["/proc/meminfo", "/proc/diskstats"]) {
    const file = procFile(path);
    const names = (text: string) => text.split("\n").map((line) => line.trim().split(/[\s:]+/)[0]);
    expect(names(file.read())).toEqual(names(await Bun.file(path).text()));
    const first =
      file
        .read()
        .trim()
        .split(/[\s:]+/)[0] ?? "none";
    expect(file.scan()?.word().replace(":", "")).toBe(first);
    file.close();
  }
});

test("a filesystem is measured; one whose place is gone is left out", async () => {
  const root = hostCopy();
  const mounts = "27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 8:1 / /gone rw - xfs /dev/sda1 rw\n";
  writeFileSync(join(root, "proc/1/mountinfo"), mounts);
  const [entry, ...others] = await readFilesystems(createSpaceReader(createFakeClock()), root);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ device: "/dev/vda", mount_point: "/", fs_type: "ext4" });
  expect(entry?.total_bytes).toBeGreaterThan(0);
  expect(entry?.usage_percent).toBeGreaterThan(0);
  expect(entry?.usage_percent).toBeLessThanOrEqual(100);
});

test("the datasets of a pool add up to the pool", async () => {
  const root = hostCopy();
  mkdirSync(join(root, "home"));
  const mounts = "27 1 0:30 / / rw - zfs rpool/ROOT rw\n28 27 0:31 / /home rw - zfs rpool/home rw\n";
  writeFileSync(join(root, "proc/1/mountinfo"), mounts);
  const [pool] = await readFilesystems(createSpaceReader(createFakeClock()), root);
  expect(pool?.total_bytes).toBe((pool?.used_bytes ?? 0) + (pool?.free_bytes ?? 0));
});
