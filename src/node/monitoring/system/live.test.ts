import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import type { HostCounters } from "../../machine/index.ts";
import { compareCounters, createLiveSampler } from "./live.ts";

const core = (busy: number, idle: number): number[] => [busy, 0, 0, idle, 0, 0, 0, 0];
const iface = (name: string, rx: number, tx: number, physical = true) => ({ name, rx, tx, physical });

function counters(at: number, change: Partial<HostCounters> = {}): HostCounters {
  return {
    at,
    cpu: { all: core(100, 100), cores: [{ number: 0, times: core(100, 100) }] },
    load: [0.5, 0.4, 0.3],
    memory: { total: 1000, used: 400, swapUsed: 7 },
    net: [iface("eth0", 1000, 2000)],
    defaultInterface: "eth0",
    disks: [{ name: "sda", read: 100, written: 200 }],
    ...change,
  };
}

test("rates are per second, shares in percent", () => {
  const after = counters(2_000, {
    cpu: { all: core(130, 170), cores: [{ number: 0, times: core(130, 170) }] },
    net: [iface("eth0", 5000, 2000), iface("docker0", 10, 10, false)],
    disks: [{ name: "sda", read: 1124, written: 200 }],
  });
  expect(compareCounters(counters(0), after)).toEqual({
    cpu_percent: 30,
    per_core: [30],
    load: [0.5, 0.4, 0.3],
    ram_used_bytes: 400,
    ram_total_bytes: 1000,
    swap_used_bytes: 7,
    net: { iface: "eth0", rx_bytes_per_sec: 2000, tx_bytes_per_sec: 0 },
    ifaces: [{ name: "eth0", rx_bytes_per_sec: 2000, tx_bytes_per_sec: 0 }],
    disk_io: { read_bytes_per_sec: 512, write_bytes_per_sec: 0 },
  });
});

test("a counter that was reset reads 0, on its device only", () => {
  const before = counters(0, {
    disks: [
      { name: "sda", read: 9000, written: 0 },
      { name: "sdb", read: 0, written: 0 },
    ],
  });
  const after = counters(1_000, {
    net: [iface("eth0", 10, 2500)],
    disks: [
      { name: "sda", read: 5, written: 0 },
      { name: "sdb", read: 300, written: 0 },
    ],
  });
  const live = compareCounters(before, after);
  expect(live.net).toEqual({ iface: "eth0", rx_bytes_per_sec: 0, tx_bytes_per_sec: 500 });
  expect(live.disk_io.read_bytes_per_sec).toBe(300);
});

test("an interface that was plugged in, or renamed, starts at 0", () => {
  const after = counters(1_000, { net: [iface("enp3s0", 999_999, 999_999)], defaultInterface: "enp3s0" });
  expect(compareCounters(counters(0), after).net).toEqual({
    iface: "enp3s0",
    rx_bytes_per_sec: 0,
    tx_bytes_per_sec: 0,
  });
});

test("without a default route the busiest interface with hardware is shown", () => {
  const net = [iface("eth0", 10, 10), iface("eth1", 500, 500), iface("docker0", 9999, 9999, false)];
  expect(compareCounters(counters(0), counters(1, { net, defaultInterface: null })).net.iface).toBe("eth1");
  expect(compareCounters(counters(0), counters(1, { net, defaultInterface: "gone" })).net.iface).toBe("eth1");
  expect(compareCounters(counters(0), counters(1, { net: [], defaultInterface: null })).net.iface).toBe("");
});

test("a system container has no hardware; its way out is listed instead", () => {
  const net = [iface("lo", 1, 1, false), iface("eth0", 1, 1, false)];
  expect(compareCounters(counters(0), counters(1_000, { net })).ifaces.map(({ name }) => name)).toEqual(["eth0"]);
});

test("a processor that came online has no share yet, one that went offline vanishes", () => {
  const cores = (numbers: number[], busy: number) => numbers.map((number) => ({ number, times: core(busy, 100) }));
  const before = counters(0, { cpu: { all: core(100, 100), cores: cores([0, 1, 3], 100) } });
  const after = counters(1_000, { cpu: { all: core(200, 100), cores: cores([0, 2, 3], 200) } });
  expect(compareCounters(before, after).per_core).toEqual([100, 0, 100]);
});

test("no rate is ever negative or endless, whatever the kernel says", () => {
  const count = fc.nat({ max: 2 ** 31 });
  const reading = fc
    .record({
      at: fc.nat({ max: 10_000 }),
      net: fc.array(fc.tuple(fc.constantFrom("eth0", "eth1", "wlan0"), count, count, fc.boolean())),
      disks: fc.array(fc.tuple(fc.constantFrom("sda", "sdb"), count, count)),
      times: fc.array(fc.array(count, { maxLength: 8 }), { maxLength: 4 }),
      defaultInterface: fc.constantFrom("eth0", "eth1", "tun0", null),
    })
    .map(({ at, net, disks, times, defaultInterface }) =>
      counters(at, {
        net: net.map(([name, rx, tx, physical]) => iface(name, rx, tx, physical)),
        disks: disks.map(([name, read, written]) => ({ name, read, written })),
        cpu: { all: times[0] ?? [], cores: times.map((value, number) => ({ number, times: value })) },
        defaultInterface,
      }),
    );
  fc.assert(
    fc.property(reading, reading, (before, after) => {
      const live = compareCounters(before, after);
      const rates = [live.net, ...live.ifaces].flatMap((item) => [item.rx_bytes_per_sec, item.tx_bytes_per_sec]);
      rates.push(live.disk_io.read_bytes_per_sec, live.disk_io.write_bytes_per_sec);
      const shares = [live.cpu_percent, ...live.per_core];
      return (
        rates.every((rate) => Number.isInteger(rate) && rate >= 0) &&
        shares.every((share) => share >= 0 && share <= 100)
      );
    }),
  );
});

/** A host whose interface carries 1,000 bytes a second; counts how often it is read. */
function steadyHost(clock: FakeClock) {
  const host = {
    clock,
    reads: 0,
    cpuTemperature: () => null,
    latest: null as HostCounters | null,
    latestCounters: () => host.latest,
    counters() {
      host.reads++;
      const now = clock.monotonic();
      host.latest = counters(now, { net: [iface("eth0", now, now)] });
      return host.latest;
    },
  };
  return host;
}

test("the first sample is already right and takes a fifth of a second", async () => {
  const clock = createFakeClock();
  const host = steadyHost(clock);
  const first = createLiveSampler(clock, host).sample();
  await clock.advance(200);
  expect((await first).net.rx_bytes_per_sec).toBe(1000);
  expect((await first).at).toBe("2026-01-01T00:00:00.200Z");
});

test("after priming, the first sample does not wait", async () => {
  const clock = createFakeClock();
  const host = steadyHost(clock);
  const sampler = createLiveSampler(clock, host);
  sampler.prime();
  await clock.advance(1_000);
  expect((await sampler.sample()).net.rx_bytes_per_sec).toBe(1000);
});

test("callers within 500 ms share a sample, callers at once share a reading", async () => {
  const clock = createFakeClock();
  const host = steadyHost(clock);
  const sampler = createLiveSampler(clock, host);
  sampler.prime();
  await clock.advance(1_000);
  const [one, two] = await Promise.all([sampler.sample(), sampler.sample()]);
  expect(two).toBe(one);
  await clock.advance(499);
  expect(await sampler.sample()).toBe(one);
  expect(host.reads).toBe(2);
  await clock.advance(1);
  expect(await sampler.sample()).not.toBe(one);
  expect(host.reads).toBe(3);
});

test("after a long pause the sample shows now, not the mean of the pause", async () => {
  const clock = createFakeClock();
  const host = steadyHost(clock);
  const quiet = {
    ...host,
    latestCounters: () => null,
    counters: () => counters(clock.monotonic(), { net: [iface("eth0", load(), 0)] }),
  };
  const load = () => (clock.monotonic() < 60_000 ? 0 : (clock.monotonic() - 60_000) * 5);
  const sampler = createLiveSampler(clock, quiet);
  sampler.prime();
  await clock.advance(60_000);
  const sample = sampler.sample();
  await clock.advance(200);
  expect((await sample).net.rx_bytes_per_sec).toBe(5000);
});

test("a reading that somebody else took is as good as one's own", async () => {
  const clock = createFakeClock();
  const host = steadyHost(clock);
  const sampler = createLiveSampler(clock, host);
  host.counters();
  await clock.advance(9_000);
  expect((await sampler.sample()).net.rx_bytes_per_sec).toBe(1000);
  await clock.advance(900);
  // One that is too young to compare with leaves the older one in use.
  host.counters();
  await clock.advance(100);
  expect((await sampler.sample()).net.rx_bytes_per_sec).toBe(1000);
  expect(host.reads).toBe(4);
});
