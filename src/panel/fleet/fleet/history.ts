import { toIso } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import type { History, HistoryMetric, HistoryRange, Series } from "./contract.ts";
import { figureOf } from "./present.ts";

const HOUR_MS = hours(1);
const DAY_MS = days(1);

/** How far back each range goes, and how fine it is. */
const RANGES: Record<HistoryRange, { span: number; resolution: History["resolution"] }> = {
  "1h": { span: HOUR_MS, resolution: "raw" },
  "6h": { span: hours(6), resolution: "raw" },
  "24h": { span: DAY_MS, resolution: "hour" },
  "7d": { span: days(7), resolution: "hour" },
  "30d": { span: days(30), resolution: "hour" },
  "3mo": { span: days(90), resolution: "day" },
};

const FIELDS = ["cpu", "memory", "disk", "net_in", "net_out"] as const;
type Field = (typeof FIELDS)[number];

/** What is told under which name. */
const TOLD: Record<HistoryMetric, Partial<Record<keyof History, Field>>> = {
  cpu: { cpu: "cpu" },
  mem: { mem: "memory" },
  disk: { disk: "disk" },
  net: { net: "net_in", net_out: "net_out" },
};

/** One moment of a series: averages where it spans more, NaN where nothing was measured. */
interface Moment extends Record<Field, number> {
  t: number;
  /** How many samples it stands for. */
  n: number;
}

type Reads = TenantFleet["history"];

/** A node's history over a range, of one metric or all. */
export async function readHistory(
  fleet: TenantFleet,
  { id, no }: NodeFacts,
  now: number,
  range: HistoryRange,
  metric: HistoryMetric | undefined,
): Promise<History> {
  const { span, resolution } = RANGES[range];
  const moments = await READS[resolution](fleet.history, no, now - span, now);
  const answer: History = { instance_id: id, range, resolution };
  const metrics = metric === undefined ? Object.values(TOLD) : [TOLD[metric]];
  for (const [name, field] of metrics.flatMap((told) => Object.entries(told)))
    Object.assign(answer, { [name]: seriesOf(moments, field) });
  return answer;
}

function seriesOf(moments: readonly Moment[], field: Field): Series {
  return moments.flatMap((moment) => {
    const value = figureOf(moment[field]);
    return value === null ? [] : [[toIso(moment.t), value] satisfies [string, number]];
  });
}

const READS: Record<History["resolution"], (reads: Reads, no: number, from: number, to: number) => Promise<Moment[]>> =
  { raw: readRaw, hour: readHours, day: readDays };

async function readRaw(reads: Reads, no: number, from: number, to: number): Promise<Moment[]> {
  const samples = await reads.range(no, from, to);
  return samples.map(({ t, ...figures }) => {
    const moment: Moment = { t, n: 1, cpu: 0, memory: 0, disk: 0, net_in: 0, net_out: 0 };
    for (const field of FIELDS) moment[field] = figures[field] ?? Number.NaN;
    return moment;
  });
}

/** Whole hours, and those that are not put together yet: the one that runs, and for some minutes the one before. */
async function readHours(reads: Reads, no: number, from: number, to: number): Promise<Moment[]> {
  const running = to - (to % HOUR_MS);
  const whole = (await reads.hourly(no, from, running)).map(averages);
  const hour = async (start: number) =>
    merge(start, await readRaw(reads, no, Math.max(from, start), Math.min(to, start + HOUR_MS)));
  const before = whole.at(-1)?.t === running - HOUR_MS ? [] : await hour(running - HOUR_MS);
  return [...whole, ...before, ...(await hour(running))];
}

/** Whole days, and those that are not put together yet: today, and for some minutes yesterday. */
async function readDays(reads: Reads, no: number, from: number, to: number): Promise<Moment[]> {
  const today = to - (to % DAY_MS);
  const whole = (await reads.daily(no, from, today)).map(averages);
  const day = async (start: number) =>
    merge(start, await readHours(reads, no, Math.max(from, start), Math.min(to, start + DAY_MS)));
  const before = whole.at(-1)?.t === today - DAY_MS ? [] : await day(today - DAY_MS);
  return [...whole, ...before, ...(await day(today))];
}

function averages({ t, n, ...spreads }: Awaited<ReturnType<Reads["hourly"]>>[number]): Moment {
  const moment: Moment = { t, n, cpu: 0, memory: 0, disk: 0, net_in: 0, net_out: 0 };
  for (const field of FIELDS) moment[field] = spreads[field].avg ?? Number.NaN;
  return moment;
}

/** Several moments as one that begins at `t`; none when there are none. */
function merge(t: number, moments: readonly Moment[]): Moment[] {
  if (moments.length === 0) return [];
  const merged: Moment = { t, n: 0, cpu: 0, memory: 0, disk: 0, net_in: 0, net_out: 0 };
  for (const { n } of moments) merged.n += n;
  for (const field of FIELDS) {
    const measured = moments.filter((moment) => !Number.isNaN(moment[field]));
    const weight = measured.reduce((sum, { n }) => sum + n, 0);
    merged[field] = weight === 0 ? Number.NaN : measured.reduce((sum, one) => sum + one[field] * one.n, 0) / weight;
  }
  return [merged];
}
