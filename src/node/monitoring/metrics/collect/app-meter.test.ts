import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import { createTestLog } from "../../../../../tests/kit/test-log.ts";
import { createAppMeter, type RunningContainer } from "./app-meter.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Load {
  cpuNs: number;
  memory: number;
  cache: number;
  rx: number;
  read: number;
}

const NET = (rx: number) => `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     500       5    0    0    0     0          0         0      500       5    0    0    0     0       0          0
  eth0: ${rx}      15    0    0    0     0          0         0      2${rx}       3    0    0    0     0       0          0
`;

/** Files in the shapes of both versions and both drivers. */
const SHAPES = {
  "version 1, cgroupfs": {
    cgroup: (id: string) =>
      ["12:blkio", "9:cpu,cpuacct", "8:memory", "5:pids", "1:name=systemd", "0:"]
        .map((part) => (part === "0:" ? "0::/system.slice/containerd.service" : `${part}:/docker/${id}`))
        .join("\n"),
    files: (id: string, { cpuNs, memory, cache, read }: Load) => ({
      [`cpuacct/docker/${id}/cpuacct.usage`]: `${cpuNs}\n`,
      [`memory/docker/${id}/memory.usage_in_bytes`]: `${memory + cache}\n`,
      [`memory/docker/${id}/memory.stat`]: `cache 1\ninactive_file 1\ntotal_cache 9\ntotal_inactive_file ${cache}\n`,
      [`blkio/docker/${id}/blkio.throttle.io_service_bytes`]: `8:0 Read ${read}\n8:0 Write 0\n8:0 Total ${read}\n253:0 Read ${read}\n253:0 Write 0\nTotal ${2 * read}\n`,
    }),
  },
  "version 2, systemd": {
    cgroup: (id: string) => `0::/system.slice/docker-${id}.scope\n`,
    files: (id: string, { cpuNs, memory, cache, read }: Load) => ({
      [`system.slice/docker-${id}.scope/cpu.stat`]: `usage_usec ${cpuNs / 1000}\nuser_usec 1\nsystem_usec 2\n`,
      [`system.slice/docker-${id}.scope/memory.current`]: `${memory + cache}\n`,
      [`system.slice/docker-${id}.scope/memory.stat`]: `anon 5\ninactive_file ${cache}\nactive_file 3\n`,
      [`system.slice/docker-${id}.scope/io.stat`]: `8:0 rbytes=${read} wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n253:0 rbytes=${read} wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n`,
    }),
  },
} as const;

type Shape = keyof typeof SHAPES;

function makeHost(shape: Shape) {
  const root = makeScratch("cgroup");
  folders.push(root);
  const clock = createFakeClock();
  const { log } = createTestLog();
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  // The disk has a device, the volume on it is made of the disk.
  put("sys/dev/block/8:0/device", "");
  put("sys/dev/block/253:0/slaves", "");
  const pids = new Map<string, number>();
  let inspections = 0;
  const engine = {
    async inspectContainer(id: string) {
      inspections += 1;
      return { State: { Pid: pids.get(id) ?? 0 } };
    },
  };
  const running: RunningContainer[] = [];
  const deps = { runtime: { engine: () => engine }, config: { host_root: root }, log, host: { clock } };
  const meter = createAppMeter(deps, () => running);
  return {
    root,
    meter,
    running,
    inspections: () => inspections,
    run(app_id: string, container_id: string, pid: number, started_at = "2026-01-01T00:00:00Z") {
      pids.set(container_id, pid);
      running.push({ app_id, container_id, started_at });
      put(`proc/${pid}/cgroup`, SHAPES[shape].cgroup(container_id));
    },
    load(container_id: string, load: Load) {
      put(`proc/${pids.get(container_id)}/net/dev`, NET(load.rx));
      for (const [path, text] of Object.entries(SHAPES[shape].files(container_id, load)))
        put(`sys/fs/cgroup/${path}`, text);
    },
    async sweep() {
      await clock.advance(10_000);
      const found = await meter.sweep();
      for (let turn = 0; turn < 5; turn++) await Bun.sleep(0);
      return found;
    },
  };
}

const START: Load = { cpuNs: 1e9, memory: 5000, cache: 700, rx: 100, read: 512 };

describe.each(Object.keys(SHAPES) as Shape[])("%s", (shape) => {
  test("a container's figures between two sweeps; memory leaves the inactive cache out, volumes are not counted twice", async () => {
    const host = makeHost(shape);
    host.run("app_a", "abc", 1234);
    host.load("abc", START);
    expect((await host.sweep()).size).toBe(0);
    expect((await host.sweep()).get("app_a")).toEqual({ mem_bytes: 5000 });
    host.load("abc", { cpuNs: 16e9, memory: 6000, cache: 1, rx: 1100, read: 10752 });
    expect((await host.sweep()).get("app_a")).toEqual({
      cpu_percent: 150,
      mem_bytes: 6000,
      net_rx_bps: 100,
      net_tx_bps: 1900,
      disk_read_bps: 1024,
      disk_write_bps: 0,
    });
    expect(host.inspections()).toBe(1);
  });

  test("an app is the sum of its services", async () => {
    const host = makeHost(shape);
    host.run("app_a", "one", 11);
    host.run("app_a", "two", 22);
    for (const id of ["one", "two"]) host.load(id, START);
    await host.sweep();
    await host.sweep();
    host.load("one", { ...START, cpuNs: 2e9 });
    host.load("two", { ...START, cpuNs: 3e9 });
    expect((await host.sweep()).get("app_a")).toMatchObject({ cpu_percent: 30, mem_bytes: 10_000 });
  });

  test("one that ended is gone at once, and a new start is found", async () => {
    const host = makeHost(shape);
    host.run("app_a", "abc", 1234);
    host.load("abc", START);
    await host.sweep();
    await host.sweep();
    rmSync(join(host.root, "proc/1234"), { recursive: true });
    expect((await host.sweep()).size).toBe(0);
    host.running.length = 0;
    host.run("app_a", "abc", 1240, "2026-01-01T00:01:00Z");
    host.load("abc", { ...START, cpuNs: 5 });
    await host.sweep();
    expect((await host.sweep()).get("app_a")).toEqual({ mem_bytes: 5000 });
  });

  test("a kernel without accounting of memory gives unknown, not 0", async () => {
    const host = makeHost(shape);
    host.run("app_a", "abc", 1234);
    host.load("abc", START);
    const files = Object.keys(SHAPES[shape].files("abc", START)).filter((path) => path.includes("memory"));
    for (const path of files) rmSync(join(host.root, "sys/fs/cgroup", path));
    await host.sweep();
    await host.sweep();
    host.load("abc", { ...START, cpuNs: 2e9 });
    for (const path of files) rmSync(join(host.root, "sys/fs/cgroup", path));
    const found = (await host.sweep()).get("app_a");
    expect(found?.["mem_bytes"] ?? null).toBeNull();
    expect(found?.["cpu_percent"]).toBe(10);
  });

  test("usage below the cache is 0, a counter that stepped back has no rate", async () => {
    const host = makeHost(shape);
    host.run("app_a", "abc", 1234);
    host.load("abc", START);
    await host.sweep();
    await host.sweep();
    host.load("abc", { cpuNs: 5, memory: -50, cache: 100, rx: 1, read: 0 });
    expect((await host.sweep()).get("app_a")).toMatchObject({
      cpu_percent: 0,
      mem_bytes: 0,
      net_rx_bps: 0,
      disk_read_bps: 0,
    });
  });
});

test("Docker that does not answer is asked again at the next sweep, and nobody waits for it", async () => {
  const host = makeHost("version 2, systemd");
  host.running.push({ app_id: "app_a", container_id: "abc", started_at: null });
  expect((await host.sweep()).size).toBe(0);
  expect((await host.sweep()).size).toBe(0);
  expect(host.inspections()).toBe(2);
});
