import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plantHostFile } from "../../../../tests/kit/host-tree.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { hours, seconds } from "../../../lib/duration.ts";

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
let bench: string;
let root: string;
let node: TestNode;
const open: TestNode[] = [];

/** A smartctl that answers with `<disk>.json` and `<disk>.code` and notes how it was called. */
function plantSmartctl(): string {
  const path = join(bench, "smartctl");
  writeFileSync(
    path,
    `#!/bin/sh
echo "$*" >> ${bench}/calls
for word; do last=$word; done
disk=\${last#/dev/}
cat ${bench}/$disk.json
read -r code < ${bench}/$disk.code
exit $code
`,
  );
  chmodSync(path, 0o755);
  return path;
}

function answer(disk: string, json: string, code = 0): void {
  copyFileSync(fixture(`${json}.json`), join(bench, `${disk}.json`));
  writeFileSync(join(bench, `${disk}.code`), `${code}\n`);
}

const calls = (): string[] =>
  existsSync(join(bench, "calls")) ? readFileSync(join(bench, "calls"), "utf8").trim().split("\n") : [];

function start(restartOf?: TestNode, smartctl = join(bench, "smartctl")): TestNode {
  const made = createTestNode({ host_root: root, smartctl }, restartOf);
  open.push(made);
  return made;
}

beforeEach(() => {
  bench = makeScratch("smart");
  root = plantHostFile(fixture("luks-lvm-md.tree"));
  plantSmartctl();
  answer("sda", "ata-hdd");
  answer("sdb", "ata-hdd");
  answer("sdc", "asleep", 3);
  node = start();
});
afterEach(() => {
  for (const made of open.splice(0).toReversed()) made.close();
  for (const folder of [bench, root]) rmSync(folder, { recursive: true });
});

const get = async (path: string, on = node) => (await on.call(`GET /api/${path}`, { as: "viewer" })).body;
const poll = (on = node) => on.ctx.jobs.run("disks.health");
const changes = (on = node) => on.events.filter(({ name }) => name === "disk.health_changed").map(({ data }) => data);

test("the overview has exactly the contract's fields", async () => {
  await poll();
  const [sda, , sdc] = await get("disks/overview");
  expect(sda).toEqual({
    device: "/dev/sda",
    model: "ST4000VN008-2DR166",
    serial: "ZGY0AAAA",
    size_bytes: 7814037168 * 512,
    used_bytes: expect.any(Number),
    used_percent: expect.any(Number),
    mounts: ["/", "/boot", "/boot/efi", "/home"],
    rotational: true,
    transport: "sata",
    smart: {
      available: true,
      healthy: true,
      status: "Healthy",
      temperature_c: 36,
      power_on_hours: 31849,
      reallocated_sectors: 0,
      pending_sectors: 0,
      media_errors: null,
      percentage_used: null,
    },
  });
  expect(sdc.smart).toMatchObject({ available: false, healthy: null, status: "Unknown", temperature_c: null });
});

test("one disk has its attributes, by either spelling; another is not found", async () => {
  await poll();
  const disk = await get("disks/sda");
  expect(disk.smart.attributes).toMatchObject({ Reallocated_Sector_Ct: "0", Command_Timeout: "14 14 15" });
  expect(await get("disks/%2Fdev%2Fsda")).toEqual(disk);
  expect((await get("disks/sdc")).smart.attributes).toEqual({});
  const { status, body } = await node.call("GET /api/disks/md0", { as: "viewer" });
  expect([status, body.code]).toEqual([404, "disk_not_found"]);
});

test("the overview is kept for a minute, and a round of readings renews it", async () => {
  await poll();
  await get("disks/overview");
  answer("sda", "ata-hdd", 8);
  await node.clock.advance(hours(1));
  await get("disks/overview");
  await poll();
  expect((await get("disks/overview"))[0].smart.status).toBe("Failing");
  rmSync(join(root, "sys/block/sdb"));
  await node.clock.advance(seconds(59));
  expect(await get("disks/overview")).toHaveLength(3);
  await node.clock.advance(seconds(1));
  expect(await get("disks/overview")).toHaveLength(2);
});

describe("a disk that goes to sleep", () => {
  test("keeps its reading with its age, also over a restart, and is never asked in a way that wakes it", async () => {
    await poll();
    answer("sda", "asleep", 3);
    await node.clock.advance(hours(2));
    await poll();
    const again = start(node);
    await again.clock.advance(hours(1));
    await poll(again);
    const [sda, sdb, sdc] = (await get("system/disk/health", again)).disks;
    expect(sda).toEqual({
      device: "/dev/sda",
      model: "ST4000VN008-2DR166",
      serial: "ZGY0AAAA",
      available: true,
      healthy: true,
      status: "Healthy",
      state: "asleep",
      read_at: "2026-01-01T00:00:00.000Z",
      age_seconds: 3 * 3600,
      verdict: "Nothing points to trouble.",
      next_step: null,
      notes: ["The disk is asleep and is not woken for this."],
    });
    expect([sdb.state, sdb.age_seconds]).toEqual(["read", 0]);
    expect(sdc).toMatchObject({ available: false, status: "Unknown", state: "asleep", age_seconds: null });
    expect((await get("disks/overview", again))[0].smart).toMatchObject({ status: "Healthy", temperature_c: 36 });
    expect([...changes(), ...changes(again)]).toEqual([]);
    for (const call of calls()) expect(call).toStartWith("--json=c -a -n standby,3,5 ");
  });

  test("is known again in another port", async () => {
    await poll();
    const place = "../devices/pci0000:00/0000:00:17.0/ata2/host1/target1:0:0/1:0:0:0/block/sdb";
    rmSync(join(root, "sys/block/sda"));
    writeFileSync(join(root, "sys/block", place, "device/wwid"), "naa.5000c500a1b2c3d4\n");
    answer("sdb", "asleep", 3);
    await node.clock.advance(hours(1));
    await poll();
    expect((await get("disks/sdb")).smart).toMatchObject({ status: "Healthy", available: true });
  });
});

describe("asking", () => {
  test("happens hourly, not more often after a restart, and again when the clock was wrong", async () => {
    await poll();
    expect(calls()).toHaveLength(3);
    await poll();
    const again = start(node);
    await poll(again);
    // Only the sleeping one has no reading yet.
    expect(calls()).toHaveLength(4);
    await again.clock.advance(hours(1));
    await poll(again);
    expect(calls()).toHaveLength(7);
    again.clock.jump(-hours(1000));
    await poll(start(again));
    expect(calls()).toHaveLength(10);
  });

  test("a disk that was plugged in is asked when somebody looks", async () => {
    await get("disks/overview");
    await node.ctx.jobs.run("disks.health");
    expect((await get("disks/overview"))[0].smart.status).toBe("Healthy");
  });

  test("an admin may have a sleeping disk read; nobody else may, and no round does", async () => {
    await poll();
    answer("sdc", "ata-hdd");
    for (const as of ["viewer", "member"] as const) {
      expect((await node.call("POST /api/disks/sdc/read", { as })).status).toBe(403);
    }
    const { status, body } = await node.call("POST /api/disks/sdc/read", { as: "admin" });
    expect([status, body.status, body.state, body.age_seconds]).toEqual([200, "Healthy", "read", 0]);
    expect(calls().at(-1)).toBe("--json=c -a -n never -d sat /dev/sdc");
    expect((await get("disks/sdc")).smart.status).toBe("Healthy");
    expect((await node.call("POST /api/disks/md0/read", { as: "admin" })).status).toBe(404);
  });

  test("missing smartctl: Unknown and a next step", async () => {
    const bare = start(undefined, "/nonexistent/smartctl");
    await poll(bare);
    const health = await get("system/disk/health", bare);
    expect(health).toMatchObject({ healthy: null, smartctl: { installed: false } });
    expect(health.smartctl.next_step).toContain("apt-get install smartmontools");
    expect(health.disks[0]).toMatchObject({ status: "Unknown", available: false, state: "unreadable" });
  });
});

describe("disk.health_changed", () => {
  test("tells of the first bad reading and of each change, once, also over a restart", async () => {
    await poll();
    expect(changes()).toEqual([]);
    const record = readFileSync(fixture("ata-hdd.json"), "utf8");
    const said: unknown[] = [];
    let current = node;
    for (const [json, code] of [
      [record.replace(/("Reallocated_Sector_Ct"[^}]+}[^}]+)"string": "0"/, '$1"string": "8"'), 0],
      [record, 8],
      [record, 8],
      [record, 2],
      [record, 0],
    ] as const) {
      writeFileSync(join(bench, "sda.json"), json);
      writeFileSync(join(bench, "sda.code"), `${code}\n`);
      await current.clock.advance(hours(1));
      current = start(current);
      await poll(current);
      await current.ctx.bus.idle();
      said.push(...changes(current));
    }
    const disk = { device: "/dev/sda", model: "ST4000VN008-2DR166", serial: "ZGY0AAAA" };
    expect(said).toEqual([
      { ...disk, status: "8 reallocated", healthy: false },
      { ...disk, status: "Failing", healthy: false },
      { ...disk, status: "Healthy", healthy: true },
    ]);
  });
});
