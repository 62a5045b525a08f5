import { afterAll, beforeAll, expect, test } from "bun:test";
import { openContainer } from "../../src/node/machine/index.ts";
import { containerValues } from "../../src/node/monitoring/metrics/collect/app-meter.ts";
import { docker, removeLabelled } from "../kit/docker.ts";
import { ENGINE_SOCKET } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { until } from "../kit/until.ts";

const LABEL = "orrery.test=container-figures";

interface DockerStats {
  read: string;
  cpu_stats: { cpu_usage: { total_usage: number } };
  memory_stats: { usage: number; stats: Record<string, number> };
  networks?: Record<string, { rx_bytes: number; tx_bytes: number }>;
  blkio_stats: { io_service_bytes_recursive: { op: string; value: number }[] | null };
}

/** What `docker stats` is made of. */
async function dockerStats(id: string): Promise<DockerStats> {
  const url = `http://docker/v1.41/containers/${id}/stats?stream=false&one-shot=true`;
  const response = await fetch(url, { unix: ENGINE_SOCKET });
  return (await response.json()) as DockerStats;
}

/** As the command line of Docker counts memory. */
function memoryOf({ memory_stats: { usage, stats } }: DockerStats): number {
  return usage - (stats["total_inactive_file"] ?? stats["inactive_file"] ?? 0);
}

suite("container figures against the engine's own", ["docker", "images"], () => {
  let id = "";
  let pid = 0;

  beforeAll(async () => {
    await removeLabelled(LABEL);
    // Touches 16 MB and then keeps a fifth of a core busy, in slices so short that no reading meets half of one.
    const script =
      "dd if=/dev/zero of=/dev/shm/fill bs=1M count=16; dd if=/dev/zero of=/file bs=1M count=4; while :; do :; done";
    id = await docker(
      ...[
        "run",
        "-d",
        "--label",
        LABEL,
        "--cpu-period",
        "5000",
        "--cpu-quota",
        "1000",
        "--shm-size",
        "32m",
        "--network",
        "none",
      ],
      ...[testEnv().images.base, "/bin/busybox", "sh", "-c", script],
    );
    pid = Number(await docker("inspect", "--format", "{{.State.Pid}}", id));
    await until(async () => memoryOf(await dockerStats(id)) > 16 * 1024 ** 2, { what: "the load" });
  });
  afterAll(() => removeLabelled(LABEL));

  test("counters and memory are those of docker stats", async () => {
    const meter = openContainer(pid);
    const before = meter?.read();
    const theirs = await dockerStats(id);
    const after = meter?.read();
    meter?.close();
    if (!before || !after) throw new Error("the container cannot be measured");
    expect(theirs.cpu_stats.cpu_usage.total_usage).toBeGreaterThanOrEqual(before.cpu_ns);
    expect(theirs.cpu_stats.cpu_usage.total_usage).toBeLessThanOrEqual(after.cpu_ns);
    expect(Math.abs((after.memory_bytes ?? 0) / memoryOf(theirs) - 1)).toBeLessThan(0.01);
    const written = (theirs.blkio_stats.io_service_bytes_recursive ?? [])
      .filter(({ op }) => op.toLowerCase() === "write")
      .reduce((sum, { value }) => sum + value, 0);
    expect(after.written_bytes).toBe(written);
  });

  test("the share of the processor is that of docker stats, within 1 %", async () => {
    const meter = openContainer(pid);
    const sample = async () => {
      const usage = meter?.read();
      const at = performance.now();
      if (!usage) throw new Error("the container cannot be measured");
      return { usage, at };
    };
    const [theirs1, ours1] = [await dockerStats(id), await sample()];
    await Bun.sleep(3_000);
    const [theirs2, ours2] = [await dockerStats(id), await sample()];
    meter?.close();
    const ours = containerValues(ours1.usage, ours2.usage, ours2.at - ours1.at)["cpu_percent"] ?? 0;
    const span = Date.parse(theirs2.read) - Date.parse(theirs1.read);
    const used = theirs2.cpu_stats.cpu_usage.total_usage - theirs1.cpu_stats.cpu_usage.total_usage;
    const docked = (used / (span * 1e6)) * 100;
    expect([docked, Math.abs(ours / docked - 1) < 0.01]).toEqual([docked, true]);
    expect(ours).toBeGreaterThan(5);
  }, 15_000);
});
