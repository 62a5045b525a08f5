import type { TimeSeries } from "../../../kit/time-axis.ts";
import { useResource } from "../../client/resource.ts";

/** Ranges of an app's history, shortest first. */
export const historyRanges = [
  { value: "1h", label: "1 h" },
  { value: "6h", label: "6 h" },
  { value: "24h", label: "24 h" },
  { value: "7d", label: "7 d" },
  { value: "30d", label: "30 d" },
] as const;
export type HistoryRange = (typeof historyRanges)[number]["value"];

type Values = readonly (number | null)[];

/** What is on record of one app. */
export interface AppHistory {
  times: number[];
  cpu: Values;
  memory: Values;
  received: Values;
  sent: Values;
}

/** The stored figures of one app; null until they are here. An app that was never measured has none. */
export function useAppHistory(id: string, range: HistoryRange) {
  const resource = useResource("GET /api/system/apps/metrics", { query: { app_id: id, range }, everyMs: 30_000 });
  const found = resource.data.value;
  const app = found?.apps.find(({ app_id }) => app_id === id);
  const history: AppHistory | null =
    found === null
      ? null
      : {
          times: found.ts.map((ts) => Date.parse(ts)),
          cpu: app?.cpu_percent ?? [],
          memory: app?.memory_bytes ?? [],
          received: app?.rx_bytes_per_sec ?? [],
          sent: app?.tx_bytes_per_sec ?? [],
        };
  return { resource, history };
}

/** True when there is something to draw. */
export const hasValues = (values: Values): boolean => values.some((value) => value !== null);

/** Fewer points than these make a line of a moment look like a history. */
const leastPoints = 15;

/** The part of a history from its first figure on: a new app does not begin with an empty chart. */
export function fromFirst(history: AppHistory, least = leastPoints): AppHistory {
  const first = history.cpu.findIndex((value) => value !== null);
  const start = first < 0 ? 0 : Math.max(0, Math.min(first, history.times.length - least));
  const cut = (values: Values): Values => values.slice(start);
  return {
    times: history.times.slice(start),
    cpu: cut(history.cpu),
    memory: cut(history.memory),
    received: cut(history.received),
    sent: cut(history.sent),
  };
}

/** One line of a chart. */
export const lineOf = (label: string, values: Values, colour: string): TimeSeries => ({ label, values, colour });
