import type { Insights, Prediction } from "../../../../src/node/monitoring/insights/contract.ts";
import { bitrate, bytesText, percent, text } from "../../../client/format.ts";
import type { State } from "../../../kit/status.tsx";

export type Ok = Exclude<Prediction, { status: "insufficient_data" }>;
export type Of<Name extends Ok["predictor"]> = Extract<Ok, { predictor: Name }>;

/** The predictions of one kind that say something. */
export function found<Name extends Ok["predictor"]>(all: Insights, name: Name): Of<Name>[] {
  const isOf = (one: Prediction): one is Of<Name> => one.status === "ok" && one.predictor === name;
  return all.predictions.filter(isOf);
}

/** Why predictions of one kind say nothing. */
export function lacks(all: Insights, name: Ok["predictor"]): string[] {
  return all.predictions.flatMap((one) =>
    one.status === "insufficient_data" && one.predictor === name ? [one.reason] : [],
  );
}

/** Reasons of the form `name: why`, one line for each why: `gitea, grafana and 8 more: why`. */
export function joinReasons(reasons: string[]): string[] {
  const named = reasons.map((reason) => /^([^:]+): (.*)$/s.exec(reason) ?? [reason, "", reason]);
  const byWhy = Map.groupBy(named, ([, , why = ""]) => why);
  return [...byWhy].map(([why, all]) => {
    const names = all.flatMap(([, name = ""]) => (name === "" ? [] : [name]));
    if (names.length === 0) return why;
    const rest = names.length > 3 ? ` and ${names.length - 2} more` : "";
    return `${names.slice(0, rest === "" ? 3 : 2).join(", ")}${rest}: ${why}`;
  });
}

export const stateOf: Record<Ok["risk_level"], State> = { low: "ok", medium: "warn", high: "crit" };

const metricTitles: Record<string, string> = {
  cpu_percent: "Processor",
  mem_percent: "Memory",
  mem_used_bytes: "Memory in use",
  swap_used_bytes: "Swap",
  load1: "Load",
  disk_read_bps: "Disk reads",
  disk_write_bps: "Disk writes",
  net_rx_bps: "Network in",
  net_tx_bps: "Network out",
  cpu_temp_c: "Processor temperature",
};

export const metricTitle = (metric: string): string => metricTitles[metric] ?? metric;
export const metricNames = Object.keys(metricTitles);

/** A value of a metric with its unit. */
export function metricText(metric: string, value: number): string {
  if (metric.endsWith("_percent")) return percent(value);
  if (metric.startsWith("net_")) return text(bitrate(value));
  if (metric.endsWith("_bps")) return `${bytesText(value)}/s`;
  if (metric.endsWith("_bytes")) return bytesText(value, "memory");
  if (metric.endsWith("_c")) return `${value.toFixed(0)} °C`;
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** "in 12 days", "today", "tomorrow". */
export function inDays(days: number): string {
  if (days < 1) return "today";
  return days < 2 ? "tomorrow" : `in ${Math.round(days)} days`;
}

/** What is called by a resource: "Disk /data", "Memory", "Processor". */
export function resourceTitle(resource: string): string {
  if (resource.startsWith("disk:")) return `Disk ${resource.slice(5)}`;
  return resource === "ram" ? "Memory" : "Processor";
}

/** One sentence for the whole page. */
export function verdict(all: Insights): { state: State; text: string } {
  const ok = all.predictions.flatMap((one) => (one.status === "ok" ? [one] : []));
  const high = ok.filter(({ risk_level }) => risk_level === "high");
  const [worst] = high.length > 0 ? high : ok.filter(({ risk_level }) => risk_level === "medium");
  if (worst) {
    const others = high.length > 1 ? ` And ${high.length - 1} more.` : "";
    return { state: stateOf[worst.risk_level], text: `${describe(worst)}${others}` };
  }
  if (ok.length === 0) return { state: "unknown", text: "Still learning what is usual here." };
  const isLearning = all.predictions.some((one) => one.status !== "ok" && one.predictor === "resource_anomaly");
  return { state: "ok", text: `Nothing ahead that needs you${isLearning ? ", as far as is known yet" : ""}.` };
}

/** One prediction as a sentence. */
export function describe(one: Ok): string {
  switch (one.predictor) {
    case "capacity_forecast":
      return one.days_until_full === null
        ? `${resourceTitle(one.resource)} will not be full within two months.`
        : `${resourceTitle(one.resource)} will be full ${inDays(one.days_until_full)}.`;
    case "resource_anomaly":
      return `${metricTitle(one.metric)} is ${one.z_score > 0 ? "higher" : "lower"} than this hour of the week usually brings.`;
    default:
      return one.summary;
  }
}
