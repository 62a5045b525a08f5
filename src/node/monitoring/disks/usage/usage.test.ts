import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { plantHostFile } from "../../../../../tests/kit/host-tree.ts";
import type { ProgramEnd, RunProgram } from "../../../../kernel/host/run-program.ts";
import { createHost } from "../../../machine/index.ts";
import { findDisks, measureUse } from "./usage.ts";
import { parsePools } from "./zfs-pools.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);
const GB = 1_000_000_000;
const ended = (code: number, stdout: string): ProgramEnd => ({ code, signal: null, stdout, stderr: "", cut: [] });
const noProgram: RunProgram = async () => ended(127, "");

/** A planted host on which each mount point has the given bytes used. */
function plant(tree: string, used: Record<string, number>) {
  const host_root = plantHostFile(fixture(tree));
  roots.push(host_root);
  const host = createHost(createFakeClock(), host_root, new AbortController().signal);
  const space = async (point: string) =>
    point in used ? { total: 1e15, used: used[point] ?? 0, free: 1e14, files: { used: 0, total: 0 } } : null;
  const ctx = { host: { ...host, space } };
  const devices = host.blockDevices();
  return {
    disks: findDisks(ctx),
    use: async (run: RunProgram = noProgram) => Object.fromEntries(await measureUse(ctx, devices, run)),
  };
}

describe("LUKS on LVM on md", () => {
  const tree = plantOnce("luks-lvm-md.tree", { "/": 40 * GB, "/home": 900 * GB, "/boot": GB, "/boot/efi": GB / 10 });

  test("only disks are disks", () => {
    expect(tree().disks.map(({ name }) => name)).toEqual(["sda", "sdb", "sdc"]);
  });

  test("each half of a mirror holds everything once, the spare nothing, bind mounts and images are not counted", async () => {
    const { sda, sdb, sdc } = await tree().use();
    expect(sda).toMatchObject({ used_bytes: 941.1 * GB, mounts: ["/", "/boot", "/boot/efi", "/home"] });
    expect(sdb).toMatchObject({ used_bytes: 941 * GB, mounts: ["/", "/boot", "/home"] });
    expect(sdc).toBeUndefined();
  });

  test("identity: udev's whole model and serial number where there are some", () => {
    const [sda, sdb] = tree().disks;
    expect(sda).toMatchObject({
      model: "ST4000VN008-2DR166",
      serial: "ZGY0AAAA",
      wwn: "5000c500a1b2c3d4",
      rotational: true,
      transport: "sata",
      isVirtual: false,
      key: "wwn:5000c500a1b2c3d4",
      size_bytes: 7814037168 * 512,
    });
    expect(sdb).toMatchObject({ model: "ST4000VN008-2DR1", serial: null, key: "wwn:5000c500a1b2c3d5" });
  });
});

test("btrfs: two copies over two disks by size, subvolumes named, bind mounts not", async () => {
  const { use } = plant("btrfs.tree", { "/": 300 * GB, "/home": 300 * GB, "/mnt/top": 300 * GB });
  const { sda, sdb } = await use();
  const small = 1953488896;
  const big = 3907029168;
  expect(sda?.used_bytes).toBe(Math.round((600 * GB * small) / (small + big)));
  expect((sda?.used_bytes ?? 0) + (sdb?.used_bytes ?? 0)).toBe(600 * GB);
  expect(sda?.mounts).toEqual(["/", "/home", "/mnt/top"]);
});

describe("ZFS", () => {
  const used = { "/": 100 * GB, "/tank": 10 * GB, "/tank/photos": 590 * GB };

  test("mirror and RAID-Z share a pool by size; its log is no data", async () => {
    const { use } = plant("zfs.tree", used);
    const status = readFileSync(fixture("zpool-status.txt"), "utf8");
    const { sda, sdb, sdc, sde, nvme0n1 } = await use(async (argv) =>
      ended(argv.join(" ") === "zpool status -LP" ? 0 : 1, status),
    );
    // The mirror holds 3999900000 sectors of 7999900000, the RAID-Z1 two times 2000000000.
    const onMirror = 600 * GB * (3999900000 / 7999900000);
    expect(sda?.used_bytes).toBe(Math.round(onMirror));
    expect(sdb).toMatchObject({ used_bytes: Math.round(onMirror), mounts: ["/tank", "/tank/photos"] });
    expect(sdc?.used_bytes).toBe(Math.round((600 * GB - onMirror) / 2));
    expect(sde?.used_bytes).toBe(sdc?.used_bytes ?? -1);
    expect(nvme0n1).toMatchObject({ used_bytes: 100 * GB, mounts: ["/"] });
  });

  test("without zpool, udev's members share it by size", async () => {
    const { sda, sdb, sdc } = await plant("zfs.tree", used).use();
    expect([sda?.used_bytes, sdb?.used_bytes, sdc]).toEqual([300 * GB, 300 * GB, undefined]);
  });

  test("zpool status is read with its groups, without logs and spares", () => {
    expect(Object.fromEntries(parsePools(readFileSync(fixture("zpool-status.txt"), "utf8")))).toEqual({
      tank: [
        { kind: "mirror", members: ["sda1", "sdb1"] },
        { kind: "raidz1", members: ["sdc", "sdd", "sde"] },
      ],
      solo: [
        { kind: "disk", members: ["sdg1"] },
        { kind: "disk", members: ["sdh1"] },
      ],
    });
  });

  test("an NVMe disk and a SAS disk tell who they are", () => {
    const { disks } = plant("zfs.tree", used);
    expect(disks.map(({ name, transport }) => [name, transport])).toEqual([
      ["nvme0n1", "nvme"],
      ["sda", "sas"],
      ["sdb", "sas"],
      ["sdc", "sas"],
      ["sdd", "sas"],
      ["sde", "sas"],
    ]);
    expect(disks[0]).toMatchObject({
      model: "Samsung SSD 980 PRO 500GB",
      serial: "S5GYNX0R000001",
      key: "wwn:0025385b01234567",
    });
    expect(disks[1]?.model).toBe("HGST HUS726T4TAL5204");
  });
});

describe("a mixed bag", () => {
  const tree = plantOnce("mixed.tree", { "/": 7, "/data": 400, "/media/stick": 50, "/lun": 90, "/safe": 100 });

  test("is told apart; card boot areas, empty slots and second paths are no disks", () => {
    expect(tree().disks.map(({ name, transport, isVirtual }) => [name, transport, isVirtual])).toEqual([
      ["mmcblk0", "mmc", false],
      ["sda", "sata", false],
      ["sdb", "sata", false],
      ["sdm", "fc", false],
      ["sdq", "virtio", true],
      ["sdu", "usb", false],
      ["sdv", "sata", true],
      ["vda", "virtio", true],
    ]);
  });

  test("a logical volume counts by the size of its disks, a mirrored one on each, NTFS by its source", async () => {
    const { sda, sdb, sdu, sdm, sdn, mmcblk0 } = await tree().use();
    expect(sda).toMatchObject({ used_bytes: 200, mounts: ["/data", "/safe"] });
    expect(sdb).toMatchObject({ used_bytes: 400, mounts: ["/data", "/safe"] });
    expect(sdu).toMatchObject({ used_bytes: 50, mounts: ["/media/stick"] });
    expect(sdm).toMatchObject({ used_bytes: 90, mounts: ["/lun"] });
    expect(sdn).toBeUndefined();
    expect(mmcblk0?.used_bytes).toBe(7);
  });
});

test("a host without sysfs has no disks, and nothing fails", async () => {
  const { disks, use } = plant("../../../machine/fixtures/debian-vm/proc/loadavg", {});
  expect([disks, await use()]).toEqual([[], {}]);
});

function plantOnce(tree: string, used: Record<string, number>) {
  return () => plant(tree, used);
}
