import { afterEach, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import { createTestLog } from "../../../../../tests/kit/test-log.ts";
import { createHost } from "../../../machine/index.ts";
import type { Sweep } from "../series/recorder.ts";
import { type AppMeter, createCollector } from "./collector.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const noApps: AppMeter = { sweep: async () => new Map() };

/** A collector over a copy of a captured host whose files can be changed. */
function makeCollector(apps = noApps) {
  const root = makeScratch("collector");
  folders.push(root);
  cpSync(new URL("../../../machine/fixtures/debian-vm", import.meta.url).pathname, root, { recursive: true });
  const clock = createFakeClock();
  const host = createHost(clock, root, new AbortController().signal);
  const sweeps: Sweep[] = [];
  const { log } = createTestLog();
  const recorder = { add: (sweep: Sweep) => void sweeps.push(sweep), flush: () => {} };
  const collector = createCollector({ clock, log, host, recorder, apps });
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const traffic = (name: string, rx: number, tx: number) => {
    write(`sys/class/net/${name}/statistics/rx_bytes`, `${rx}\n`);
    write(`sys/class/net/${name}/statistics/tx_bytes`, `${tx}\n`);
  };
  const step = async (ms = 10_000) => {
    await clock.advance(ms);
    await collector.sweep();
    return sweeps.at(-1);
  };
  return { root, clock, sweeps, collector, write, traffic, step };
}

test("two readings make a sample: shares, levels and rates over the time between", async () => {
  const { step, sweeps, traffic, write } = makeCollector();
  await step();
  expect(sweeps).toEqual([]);
  traffic("eth0", 739623967 + 50_000, 1427718 + 10);
  write("proc/stat", "cpu  1000000 0 0 1000000 0 0 0 0\ncpu0 1000000 0 0 1000000 0 0 0 0\n");
  const sample = await step();
  expect(sample?.get("host")).toMatchObject({
    net_rx_bps: 5000,
    net_tx_bps: 1,
    disk_read_bps: 0,
    swap_used_bytes: 0,
    load1: 0.4,
    mem_used_bytes: (24684096 - 23733140) * 1024,
  });
  expect(sample?.get("host")?.["mem_percent"]).toBeCloseTo(3.85, 1);
  expect(sample?.get("host")?.["disk_percent"]).toBe(sample?.get("fs:/")?.["used_percent"] ?? Number.NaN);
  expect(sample?.get("fs:/")?.["total_bytes"]).toBeGreaterThan(0);
  expect(sample?.get("iface:eth0")).toEqual({ rx_bps: 5000, tx_bps: 1 });
  expect([...(sample?.keys() ?? [])]).toEqual(["host", "iface:eth0", "fs:/"]);
});

test("a counter that stepped back reads 0", async () => {
  const { step, traffic } = makeCollector();
  await step();
  traffic("eth0", 5, 1427718 + 100);
  expect((await step())?.get("iface:eth0")).toEqual({ rx_bps: 0, tx_bps: 10 });
});

test("an interface is found when it is plugged in, starts at 0, and is gone when it is pulled", async () => {
  const { step, traffic, write, root } = makeCollector();
  await step();
  traffic("usb0", 9_000_000, 0);
  write("sys/class/net/usb0/device", "");
  for (let count = 0; count < 7; count++) await step();
  expect((await step())?.get("iface:usb0")).toEqual({ rx_bps: 0, tx_bps: 0 });
  traffic("usb0", 9_000_100, 0);
  expect((await step())?.get("iface:usb0")).toEqual({ rx_bps: 10, tx_bps: 0 });
  rmSync(join(root, "sys/class/net/usb0"), { recursive: true });
  for (let count = 0; count < 7; count++) await step();
  expect((await step())?.has("iface:usb0")).toBeFalse();
});

test("a renamed interface goes on under its new name without a made-up peak", async () => {
  const { step, root } = makeCollector();
  await step();
  renameSync(join(root, "sys/class/net/eth0"), join(root, "sys/class/net/lan0"));
  for (let count = 0; count < 7; count++) await step();
  const sample = await step();
  expect(sample?.has("iface:eth0")).toBeFalse();
  expect(sample?.get("iface:lan0")).toEqual({ rx_bps: 0, tx_bps: 0 });
});

test("in a system container no interface has hardware: the way out is measured", async () => {
  const { step, traffic, root } = makeCollector();
  rmSync(join(root, "sys/class/net/eth0/device"));
  expect(existsSync(join(root, "sys/class/net/eth0/device"))).toBeFalse();
  await step();
  traffic("eth0", 739623967 + 1000, 1427718);
  const sample = await step();
  expect(sample?.get("iface:eth0")).toEqual({ rx_bps: 100, tx_bps: 0 });
  expect(sample?.get("host")?.["net_rx_bps"]).toBe(100);
});

test("what a machine does not show is unknown, not 0", async () => {
  const { step, root } = makeCollector();
  for (const path of ["stat", "meminfo", "diskstats", "1/mountinfo"]) rmSync(join(root, "proc", path));
  rmSync(join(root, "sys/class/net"), { recursive: true });
  rmSync(join(root, "sys/class/hwmon"), { recursive: true });
  await step();
  expect((await step())?.get("host")).toEqual({
    cpu_percent: null,
    mem_percent: null,
    mem_used_bytes: null,
    swap_used_bytes: null,
    load1: 0.4,
    disk_percent: null,
    disk_read_bps: null,
    disk_write_bps: null,
    net_rx_bps: null,
    net_tx_bps: null,
    cpu_temp_c: null,
  });
});

test("after a long pause the first sweep only begins anew", async () => {
  const { step, sweeps, traffic } = makeCollector();
  await step();
  await step();
  traffic("eth0", 739623967 + 10 ** 9, 1427718);
  await step(120_000);
  expect(sweeps).toHaveLength(1);
  expect((await step())?.get("iface:eth0")).toEqual({ rx_bps: 0, tx_bps: 0 });
});

test("sweeps fall on full tens of seconds, and one that fails does not end them", async () => {
  let calls = 0;
  const { collector, clock, sweeps } = makeCollector({
    async sweep() {
      calls += 1;
      if (calls === 2) throw new Error("no");
      return new Map([["a", { mem_bytes: 1 }]]);
    },
  });
  await clock.advance(3_000);
  const stop = new AbortController();
  const running = collector.run(stop.signal);
  const times: number[] = [];
  for (let second = 0; second < 40; second++) {
    const before = sweeps.length;
    await clock.advance(1_000);
    for (let turn = 0; turn < 5; turn++) await Bun.sleep(0);
    if (sweeps.length > before) times.push((clock.now() / 1000) % 60);
  }
  stop.abort();
  await running;
  expect(times).toEqual([20, 30, 40]);
  expect(sweeps.at(-1)?.get("app:a")).toEqual({ mem_bytes: 1 });
});
