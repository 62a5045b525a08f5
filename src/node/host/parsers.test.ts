import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { busyPercent, parseCpuStat } from "./cpu-stat.ts";
import { parseDefaultRoute, parseDefaultRoute6 } from "./default-route.ts";
import { isDiskName, parseDiskstats } from "./diskstats.ts";
import { isInstalledService } from "./hostname.ts";
import { parseLoadavg, parseUptime } from "./load.ts";
import { parseArcReclaimable, parseMeminfo } from "./memory.ts";
import { parseOsRelease } from "./os-release.ts";

const captured = (path: string): string => readFileSync(new URL(`fixtures/debian-vm/${path}`, import.meta.url), "utf8");

describe("processor times", () => {
  test("a captured /proc/stat", () => {
    const { all, cores } = parseCpuStat(captured("proc/stat"));
    expect(all).toEqual([20436, 109, 7332, 588603, 1001, 0, 275, 57]);
    expect([...cores.keys()]).toEqual(["cpu0", "cpu1"]);
    expect(cores.get("cpu1")).toEqual([12072, 56, 4324, 291360, 917, 0, 159, 27]);
  });

  test("a file cut off after the cpu lines, and none at all", () => {
    expect(parseCpuStat("cpu  1 2 3 4\ncpu3 1 2 3 4").cores.get("cpu3")).toEqual([1, 2, 3, 4]);
    expect(parseCpuStat("")).toEqual({ all: [], cores: new Map() });
  });

  test("waiting for disks is idle, guests are not counted twice", () => {
    const before = parseCpuStat("cpu  100 0 100 100 100 0 0 0 50 0\n").all;
    const after = parseCpuStat("cpu  120 0 110 150 120 0 0 0 70 0\n").all;
    expect(busyPercent(before, after)).toBe(30);
  });

  test("whatever the counters do, the share stays within 0 and 100", () => {
    const times = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 10 });
    fc.assert(
      fc.property(times, times, (before, after) => {
        const percent = busyPercent(before, after);
        return percent >= 0 && percent <= 100;
      }),
    );
  });

  test("a processor without an earlier reading shows 0", () => {
    expect(busyPercent(undefined, [1, 2, 3, 4, 5, 6, 7, 8])).toBe(0);
  });
});

describe("memory", () => {
  test("a captured /proc/meminfo: caches do not count as used", () => {
    const text = captured("proc/meminfo");
    expect(parseMeminfo(text)).toEqual({ total: 24684096 * 1024, used: (24684096 - 23733140) * 1024, swapUsed: 0 });
  });

  test("without MemAvailable, free memory and caches make it up", () => {
    const text =
      "MemTotal: 1000 kB\nMemFree: 300 kB\nBuffers: 50 kB\nCached: 150 kB\nSwapTotal: 100 kB\nSwapFree: 60 kB\n";
    expect(parseMeminfo(text)).toEqual({ total: 1000 * 1024, used: 500 * 1024, swapUsed: 40 * 1024 });
  });

  test("the ZFS cache above its minimum can be had back", () => {
    const arc = "13 1 0x01 123\nname type data\nhits 4 9\nc_min 4 1000\nc_max 4 9000\nsize 4 5000\n";
    expect(parseArcReclaimable(arc)).toBe(4000);
    expect(parseArcReclaimable("")).toBe(0);
    expect(parseMeminfo("MemTotal: 100 kB\nMemAvailable: 10 kB\n", 40 * 1024).used).toBe(50 * 1024);
  });

  test("nothing readable gives zeros", () => {
    expect(parseMeminfo("")).toEqual({ total: 0, used: 0, swapUsed: 0 });
  });
});

test("load and uptime", () => {
  expect(parseLoadavg(captured("proc/loadavg"))).toEqual([0.4, 0.17, 0.11]);
  expect(parseUptime(captured("proc/uptime"))).toBe(3096);
  expect(parseLoadavg("")).toEqual([0, 0, 0]);
  expect(parseUptime("")).toBe(0);
});

describe("default route", () => {
  test("captured tables", () => {
    expect(parseDefaultRoute(captured("proc/1/net/route"))).toBe("eth0");
    expect(parseDefaultRoute6(captured("proc/1/net/ipv6_route"))).toBe("eth0");
  });

  const line = (iface: string, flags: string, metric: number, destination = "00000000", mask = "00000000") =>
    `${iface}\t${destination}\t0102A8C0\t${flags}\t0\t0\t${metric}\t${mask}\t0\t0\t0`;

  test("the lowest metric wins, then the one with a gateway", () => {
    expect(parseDefaultRoute([line("wlan0", "0003", 600), line("eth0", "0003", 100)].join("\n"))).toBe("eth0");
    expect(parseDefaultRoute([line("wg0", "0001", 0), line("eth0", "0003", 0)].join("\n"))).toBe("eth0");
  });

  test("an on-link default (ppp, WireGuard) is one, a route that is down is none", () => {
    expect(parseDefaultRoute(line("ppp0", "0001", 0))).toBe("ppp0");
    expect(parseDefaultRoute(line("eth0", "0002", 0))).toBeNull();
  });

  test("half of the world (OpenVPN) is not the default", () => {
    expect(parseDefaultRoute(line("tun0", "0003", 0, "00000000", "00000080"))).toBeNull();
  });

  test("the kernel's own reject route is none", () => {
    const zero = "0".repeat(32);
    expect(
      parseDefaultRoute6(`${zero} 00 ${zero} 00 ${zero} ffffffff 00000001 00000000 00200200       lo\n`),
    ).toBeNull();
  });
});

describe("disk counters", () => {
  test("a captured /proc/diskstats, 20 columns", () => {
    const vda = parseDiskstats(captured("proc/diskstats")).find(({ name }) => name === "vda");
    expect(vda).toEqual({ name: "vda", read: 9534338 * 512, written: 11944824 * 512 });
  });

  test("the 14 columns of old kernels", () => {
    expect(parseDiskstats("   8       0 sda 10 2 300 4 50 6 700 8 0 10 11\n")).toEqual([
      { name: "sda", read: 300 * 512, written: 700 * 512 },
    ]);
  });

  test("what has a device and is no disk of its own", () => {
    expect(["sr0", "fd0", "mmcblk0boot0", "nvme0c1n1"].filter(isDiskName)).toEqual([]);
    expect(["sda", "nvme0n1", "mmcblk0", "vda", "xvda"].every(isDiskName)).toBe(true);
  });
});

test("names of distributions", () => {
  expect(parseOsRelease(captured("etc/os-release"))).toBe("Debian GNU/Linux 12 (bookworm)");
  expect(parseOsRelease("ID=alpine\nNAME='Alpine Linux'\nVERSION=3.21\n")).toBe("Alpine Linux 3.21");
  expect(parseOsRelease('PRETTY_NAME="Bob\\"s \\$OS"')).toBe('Bob"s $OS');
  expect(parseOsRelease("")).toBe("Linux");
});

test("only our own unit may rename the host", () => {
  expect(isInstalledService("0::/system.slice/orrery-node.service\n")).toBe(true);
  expect(isInstalledService("12:pids:/system.slice/orrery-node.service\n1:name=systemd:/x\n")).toBe(true);
  expect(isInstalledService("0::/system.slice/actions-runner.service\n")).toBe(false);
  expect(isInstalledService("0::/user.slice/user-0.slice/session-1.scope\n")).toBe(false);
});
