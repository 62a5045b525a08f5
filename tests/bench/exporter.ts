import { until } from "../kit/until.ts";
import { meterCpu } from "./process-facts.ts";

const SCRAPES = 60;
const PAUSE_MS = 100;
/** What our own sweep reads, and nothing else. */
const COLLECTORS = ["cpu", "meminfo", "loadavg", "diskstats", "netdev", "filesystem", "hwmon"];

/** Starts counting the processor time of a process; the returned function ends it and gives milliseconds. */
export function cpuMeterOf(pid: number): () => number {
  const meter = meterCpu(pid);
  return () => {
    const spent = meter.read();
    meter.stop();
    return spent;
  };
}

/** Processor time of one scrape of Debian's node exporter; null when it is not installed. */
export async function exporterCost(): Promise<{ cpuMs: number; version: string } | null> {
  const program = Bun.which("prometheus-node-exporter");
  if (program === null) return null;
  const listening = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listening;
  listening.stop(true);
  const flags = ["--collector.disable-defaults", ...COLLECTORS.map((name) => `--collector.${name}`)];
  const child = Bun.spawn(
    [program, `--web.listen-address=127.0.0.1:${port}`, "--web.disable-exporter-metrics", ...flags],
    {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  const scrape = async (): Promise<boolean> => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
    await response?.arrayBuffer();
    return response?.status === 200;
  };
  try {
    await until(scrape, { what: "the node exporter to answer" });
    for (let count = 0; count < 20; count++) await scrape();
    const spent = cpuMeterOf(child.pid);
    for (let count = 0; count < SCRAPES; count++) {
      await scrape();
      await Bun.sleep(PAUSE_MS);
    }
    return { cpuMs: spent() / SCRAPES, version: await versionOf(program) };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

async function versionOf(program: string): Promise<string> {
  const child = Bun.spawn([program, "--version"], { stdout: "pipe", stderr: "pipe" });
  const text = (await child.stdout.text()) + (await child.stderr.text());
  return `node_exporter ${/version (\d+\.\d+\.\d+)/.exec(text)?.[1] ?? "of unknown version"}`;
}
