import { expect, test } from "bun:test";
import { parseMountinfo, realFilesystems } from "./mounts.ts";

const found = (text: string) => realFilesystems(parseMountinfo(text));

test("a captured host: pseudo filesystems and the bind mount of /var/lib/docker vanish", async () => {
  const text = await Bun.file(new URL("fixtures/debian-vm/proc/1/mountinfo", import.meta.url)).text();
  expect(parseMountinfo(text)).toHaveLength(text.trim().split("\n").length);
  expect(found(text)).toEqual([{ device: "/dev/vda", type: "ext4", point: "/", points: ["/"] }]);
});

test("btrfs subvolumes and a second mount of a device count once, under the best path", () => {
  const text = `
30 1 0:25 /@ / rw,relatime shared:1 - btrfs /dev/sda2 rw,subvol=/@
31 30 0:25 /@home /home rw,relatime shared:2 - btrfs /dev/sda2 rw,subvol=/@home
32 30 8:17 /export /srv/export rw - xfs /dev/sdb1 rw
33 30 8:17 / /mnt/a\\040long\\040name rw - xfs /dev/sdb1 rw
34 30 8:1 / /boot/efi rw shared:9 master:2 - vfat /dev/sda1 rw
35 30 7:0 / /snap/core rw - squashfs /dev/loop0 ro`;
  expect(found(text)).toEqual([
    { device: "/dev/sda2", type: "btrfs", point: "/", points: ["/"] },
    { device: "/dev/sdb1", type: "xfs", point: "/mnt/a long name", points: ["/mnt/a long name"] },
    { device: "/dev/sda1", type: "vfat", point: "/boot/efi", points: ["/boot/efi"] },
  ]);
});

test("the datasets of a ZFS pool are one filesystem with several places to ask", () => {
  const text = `
40 1 0:30 / / rw - zfs rpool/ROOT/debian rw
41 40 0:31 / /home rw - zfs rpool/home rw
42 40 0:32 / /tank rw - zfs tank rw`;
  expect(found(text)).toEqual([
    { device: "rpool", type: "zfs", point: "/", points: ["/", "/home"] },
    { device: "tank", type: "zfs", point: "/tank", points: ["/tank"] },
  ]);
});

test("a mount that was covered by another one is not asked", () => {
  const text = `
50 1 8:1 / /data rw - ext4 /dev/sda1 rw
51 50 0:40 / /data rw - nfs4 nas:/data rw`;
  expect(found(text)).toEqual([]);
});

test("lines that are none are left out", () => {
  expect(parseMountinfo("\ngarbage\n1 2 3:4 / /x rw\n")).toEqual([]);
});

test("an overlay tells its layers, whatever characters are in their names", () => {
  const text = `
60 1 0:60 / /m rw - overlay overlay rw,lowerdir=/low\\134:er:/b\\040c,upperdir=/up\\054per,workdir=/work,xino=off
61 1 0:61 / /n ro - overlay any ro,lowerdir+=/one:two,lowerdir+=/three
62 1 8:1 / / rw - ext4 /dev/sda1 rw,upperdir=/no`;
  expect(parseMountinfo(text).map(({ layers }) => layers)).toEqual([
    { upper: "/up,per", lowers: ["/low:er", "/b c"] },
    { upper: null, lowers: ["/one:two", "/three"] },
    undefined,
  ]);
});
