import type { HeartbeatInput } from "../../../../shared/agent-protocol/index.ts";
import type { Needs } from "../needs.ts";

/** Answers since the panel heard the last ones. */
interface Answers {
  answers: number;
  failures: number;
}

/** The figures of the last ten seconds; null where nothing was measured, as in the first seconds after a start. */
export function reportMetrics(
  { series }: Pick<Needs, "series">,
  { answers, failures }: Answers,
): HeartbeatInput["metrics"] {
  const values = series.latest("host")?.values ?? {};
  const figure = (name: string, steps: number): number | null => {
    const value = values[name];
    return value === null || value === undefined ? null : Math.round(Math.max(0, value) * steps) / steps;
  };
  return {
    cpu_percent: figure("cpu_percent", 100),
    memory_percent: figure("mem_percent", 100),
    disk_percent: figure("disk_percent", 100),
    net_in: figure("net_rx_bps", 1),
    net_out: figure("net_tx_bps", 1),
    error_rate: answers === 0 ? 0 : Math.round((failures / answers) * 10_000) / 100,
    requests: answers,
  };
}
