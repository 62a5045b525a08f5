import { seconds } from "../../../../lib/duration.ts";
import { ratePerSecond } from "../../../../lib/rate.ts";
import { createPidFinder, type Processes } from "../../../apps/app-stats/index.ts";
import type { NodeBase } from "../../../base.ts";
import { type ContainerMeter, openContainer, type Usage } from "../../../machine/index.ts";
import type { Values } from "../series/fold.ts";
import type { AppMeter } from "./collector.ts";

/** A container that runs, and the app that it belongs to. */
export interface RunningContainer {
  app_id: string;
  container_id: string;
  started_at: string | null;
}

interface Watched {
  startedAt: string | null;
  meter: ContainerMeter;
  last: { usage: Usage; at: number } | null;
}

interface Deps extends Processes, Pick<NodeBase, "log"> {
  config: Pick<NodeBase["config"], "host_root">;
  host: Pick<NodeBase["host"], "clock">;
}

/** After so many containers others get their turn: about 2 ms. */
const BATCH = 50;
/** Rates over a longer time say nothing about its end. */
const MAX_SPAN_MS = seconds(40);

const rate = (before: number | null, after: number | null, elapsedMs: number): number | null =>
  before === null || after === null ? null : ratePerSecond(before, after, elapsedMs);

/** Figures of one container between two readings; without an earlier one only what is not a rate. */
export function containerValues(before: Usage | null, after: Usage, elapsedMs: number): Values {
  if (!before) return { mem_bytes: after.memory_bytes };
  return {
    // 100 is one core, as docker stats counts.
    cpu_percent: ratePerSecond(before.cpu_ns, after.cpu_ns, elapsedMs) / 1e7,
    mem_bytes: after.memory_bytes,
    net_rx_bps: rate(before.rx_bytes, after.rx_bytes, elapsedMs),
    net_tx_bps: rate(before.tx_bytes, after.tx_bytes, elapsedMs),
    disk_read_bps: rate(before.read_bytes, after.read_bytes, elapsedMs),
    disk_write_bps: rate(before.written_bytes, after.written_bytes, elapsedMs),
  };
}

/** Sums by figure; a figure that nobody has stays unknown. */
function addValues(sum: Record<string, number | null>, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue;
    sum[name] = (sum[name] ?? 0) + value;
  }
}

/** Measures the containers that `running` lists, by the kernel's accounting; Docker is asked once for each start. */
export function createAppMeter(deps: Deps, running: () => RunningContainer[]): AppMeter & { close(): void } {
  const { host, config, log } = deps;
  const pids = createPidFinder(deps);
  const watched = new Map<string, Watched>();
  const asked = new Set<string>();

  function unwatch(container: string): void {
    watched.get(container)?.meter.close();
    watched.delete(container);
    pids.forget(container);
  }

  /** In the background: a sweep does not wait for Docker, a new container is in the next one. */
  async function watch({ container_id, started_at }: RunningContainer): Promise<void> {
    if (asked.has(container_id)) return;
    asked.add(container_id);
    try {
      const pid = await pids.find(container_id, started_at);
      const meter = pid === null ? null : openContainer(pid, config.host_root);
      if (meter) watched.set(container_id, { startedAt: started_at, meter, last: null });
    } catch (error) {
      log.debug("a container cannot be measured yet", { container: container_id, error });
    } finally {
      asked.delete(container_id);
    }
  }

  function measure({ container_id, started_at }: RunningContainer): Values | null {
    const known = watched.get(container_id);
    if (!known) return null;
    const usage = known.startedAt === started_at ? known.meter.read() : null;
    if (!usage) {
      unwatch(container_id);
      return null;
    }
    const at = host.clock.monotonic();
    const elapsed = known.last ? at - known.last.at : 0;
    const values = containerValues(elapsed > MAX_SPAN_MS ? null : (known.last?.usage ?? null), usage, elapsed);
    known.last = { usage, at };
    return values;
  }

  return {
    async sweep() {
      const containers = running();
      const ids = new Set(containers.map(({ container_id }) => container_id));
      for (const id of watched.keys()) if (!ids.has(id)) unwatch(id);
      const sums = new Map<string, Record<string, number | null>>();
      for (const [index, container] of containers.entries()) {
        if (index > 0 && index % BATCH === 0) await host.clock.sleep(0);
        const values = measure(container);
        if (values) {
          const sum = sums.get(container.app_id) ?? {};
          addValues(sum, values);
          sums.set(container.app_id, sum);
        } else void watch(container);
      }
      return sums;
    },
    close() {
      for (const id of [...watched.keys()]) unwatch(id);
    },
  };
}
