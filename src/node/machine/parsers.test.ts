import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { busyPercent, parseCpuStat } from "./cpu-stat.ts";
import { parseDefaultRoute, parseDefaultRoute6 } from "./default-route.ts";
import { createDiskstatsReader, isDiskName } from "./diskstats.ts";
import { isInstalledService } from "./hostname.ts";
import { parseLoadavg, parseUptime } from "./load.ts";
import { parseArcReclaimable, parseMeminfo } from "./memory.ts";
import { parseOsRelease } from "./os-release.ts";
import { createScanner, scanText } from "./scanner.ts";

const captured = (path: string): string => readFileSync(new URL(`fixtures/debian-vm/${path}`, import.meta.url), "utf8");

describe("processor times", () => {
  test("a captured /proc/stat", () => {
    const { all, cores } = parseCpuStat(scanText(captured("proc/stat")));
    expect(all).toEqual([20436, 109, 7332, 588603, 1001, 0, 275, 57]);
    expect(cores.map(({ number }) => number)).toEqual([0, 1]);
    expect(cores[1]?.times).toEqual([12072, 56, 4324, 291360, 917, 0, 159, 27]);
  });

  test("a file cut off after the cpu lines, and none at all", () => {
    const cut = { all: [1, 2, 3, 4], cores: [{ number: 3, times: [1, 2, 3, 4] }] };
    expect(parseCpuStat(scanText("cpu  1 2 3 4\ncpu3 1 2 3 4"))).toEqual(cut);
    expect(parseCpuStat(scanText("cpu  1 2 3 4\ncpu3 1 2 3 4\nintr 5 6\ncpu4 1\n"))).toEqual(cut);
    expect(parseCpuStat(scanText(""))).toEqual({ all: [], cores: [] });
    expect(parseCpuStat(null)).toEqual({ all: [], cores: [] });
  });

  test("waiting for disks is idle, guests are not counted twice", () => {
    const before = parseCpuStat(scanText("cpu  100 0 100 100 100 0 0 0 50 0\n")).all;
    const after = parseCpuStat(scanText("cpu  120 0 110 150 120 0 0 0 70 0\n")).all;
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

describe("scanning", () => {
  test("walks lines, words and numbers, and never past a line's end", () => {
    const scanner = scanText("  7  loop0\t12 3.50\n\nab abc -\n");
    expect(scanner.number()).toBe(7);
    expect(scanner.word()).toBe("loop0");
    expect(scanner.number()).toBe(12);
    expect(scanner.decimal()).toBe(3.5);
    expect([scanner.number(), scanner.decimal(), scanner.word()]).toEqual([-1, -1, ""]);
    expect(scanner.skipWords(1)).toBe(false);
    expect([scanner.nextLine(), scanner.word(), scanner.nextLine()]).toEqual([true, "", true]);
    expect(scanner.takes(Buffer.from("a"))).toBe(false);
    expect(scanner.takes(Buffer.from("ab"))).toBe(true);
    expect(scanner.startsWith(Buffer.from(" abc"))).toBe(true);
    expect(scanner.skipWords(1)).toBe(true);
    expect(scanner.number()).toBe(-1);
    expect([scanner.nextLine(), scanner.nextLine(), scanner.number()]).toEqual([false, false, -1]);
  });

  test("sees only what was read this time, not what the buffer holds from before", () => {
    const scanner = createScanner(Buffer.from("123456\nold"), 3);
    expect(scanner.number()).toBe(123);
    expect(scanner.nextLine()).toBe(false);
    scanner.restart(2);
    expect(scanner.startsWith(Buffer.from("123"))).toBe(false);
    expect(scanner.word()).toBe("12");
  });

  test("numbers as the text's own reader sees them", () => {
    const numbers = fc.array(fc.oneof(fc.nat(), fc.maxSafeNat()), { minLength: 1 });
    fc.assert(
      fc.property(numbers, (values) => {
        const scanner = scanText(values.join(" "));
        return values.every((value) => scanner.number() === value) && scanner.number() === -1;
      }),
    );
  });
});

describe("memory", () => {
  test("a captured /proc/meminfo: caches do not count as used", () => {
    const text = captured("proc/meminfo");
    expect(parseMeminfo(scanText(text))).toEqual({
      total: 24684096 * 1024,
      used: (24684096 - 23733140) * 1024,
      swapUsed: 0,
    });
  });

  test("without MemAvailable, free memory and caches make it up", () => {
    const text =
      "MemTotal: 1000 kB\nMemFree: 300 kB\nBuffers: 50 kB\nCached: 150 kB\nSwapTotal: 100 kB\nSwapFree: 60 kB\n";
    expect(parseMeminfo(scanText(text))).toEqual({ total: 1000 * 1024, used: 500 * 1024, swapUsed: 40 * 1024 });
  });

  test("the ZFS cache above its minimum can be had back", () => {
    const arc = "13 1 0x01 123\nname type data\nhits 4 9\nc_min 4 1000\nc_max 4 9000\nsize 4 5000\n";
    expect(parseArcReclaimable(arc)).toBe(4000);
    expect(parseArcReclaimable("")).toBe(0);
    expect(parseMeminfo(scanText("MemTotal: 100 kB\nMemAvailable: 10 kB\n"), 40 * 1024).used).toBe(50 * 1024);
  });

  test("nothing readable gives zeros", () => {
    expect(parseMeminfo(scanText(""))).toEqual({ total: 0, used: 0, swapUsed: 0 });
    expect(parseMeminfo(null)).toEqual({ total: 0, used: 0, swapUsed: 0 });
  });
});

test("load and uptime", () => {
  expect(parseLoadavg(scanText(captured("proc/loadavg")))).toEqual([0.4, 0.17, 0.11]);
  expect(parseUptime(captured("proc/uptime"))).toBe(3096);
  expect(parseLoadavg(scanText(""))).toEqual([0, 0, 0]);
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
  const everything = () => createDiskstatsReader(() => true);

  test("a captured /proc/diskstats, 20 columns", () => {
    const asked: string[] = [];
    const reader = createDiskstatsReader((name) => {
      asked.push(name);
      return name === "vda";
    });
    const vda = { name: "vda", read: 9534338 * 512, written: 11944824 * 512 };
    expect(reader.read(scanText(captured("proc/diskstats")))).toEqual([vda]);
    const once = asked.length;
    expect(reader.read(scanText(captured("proc/diskstats")))).toEqual([vda]);
    expect(asked).toHaveLength(once);
    reader.forget();
    reader.read(scanText(captured("proc/diskstats")));
    expect(asked).toHaveLength(2 * once);
  });

  test("the 14 columns of old kernels", () => {
    expect(everything().read(scanText("   8       0 sda 10 2 300 4 50 6 700 8 0 10 11\n"))).toEqual([
      { name: "sda", read: 300 * 512, written: 700 * 512 },
    ]);
    expect(everything().read(scanText("\n  8 0\n"))).toEqual([]);
  });

  test("a device that comes, goes or takes another's place keeps its own name", () => {
    const line = (name: string, sectors: number) => ` 8 0 ${name} 1 0 ${sectors} 0 1 0 ${sectors} 0 0 0 0\n`;
    const reader = everything();
    const names = (text: string) => reader.read(scanText(text)).map(({ name, read }) => `${name} ${read / 512}`);
    expect(names(line("sda", 1) + line("sdb", 2))).toEqual(["sda 1", "sdb 2"]);
    expect(names(line("sdb", 3))).toEqual(["sdb 3"]);
    expect(names(line("sda", 1) + line("sda1", 2) + line("sdb", 3))).toEqual(["sda 1", "sda1 2", "sdb 3"]);
    expect(names(line("sda1", 4) + line("sda", 5))).toEqual(["sda1 4", "sda 5"]);
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
