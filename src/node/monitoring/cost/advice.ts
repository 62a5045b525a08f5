import type { CostSettings, Recommendation } from "./contract.ts";
import { type Facts, QUIET_DAYS, type QuietBlock } from "./facts.ts";
import { GIB, MONTH_HOURS, priceOf } from "./usage.ts";

/** Advice needs nearly all of the time to have been measured. */
export const MIN_COVERAGE = 0.9;

const MIB = 2 ** 20;
/** Room above the highest use that was ever seen, and the steps that limits come in. */
const HEADROOM = 1.5;
const STEP_MB = 64;
/** Less than this to win is not worth anybody's time. */
const MAX_SHARE = 0.6;

/** An app as far as advice goes. */
export interface Subject {
  app_id: string;
  name: string;
  isRunning: boolean;
  /** The one container whose memory limit can be told from the app's figures; null for several, or without limit. */
  limited: { container: string; memory_mb: number } | null;
  facts: Facts;
}

const percent = (share: number): number => Math.round(share * 1000) / 10;
const money = (value: number): number => Math.round(value * 10_000) / 10_000;
const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** What an hour of running costs by the last week; disk is paid for stopped apps too. */
function hourlyPrice({ week }: Facts, rates: CostSettings): { cpu: number; memory: number } {
  const { cpu_cost, memory_cost } = priceOf(week.usage, rates);
  const measured = Math.max(1, week.usage.measured_hours);
  return { cpu: cpu_cost / measured, memory: memory_cost / measured };
}

function adviseStop({ app_id, name, facts }: Subject, rates: CostSettings): Recommendation {
  const { cpu, memory } = hourlyPrice(facts, rates);
  return {
    id: `idle:${app_id}`,
    kind: "idle",
    app_id,
    app_name: name,
    title: `Stop ${name} while nobody needs it`,
    reason: `It has used less than 1% of a core in every hour for more than a day (${facts.idle.mean_cpu_percent.toFixed(2)}% on average).`,
    saving_per_month: money((cpu + memory) * MONTH_HOURS),
    coverage_percent: percent(facts.idle.coverage),
    how_to_apply: {
      text: "Open the app and stop it. Its data stays, and it starts again with one click.",
      commands: [`orrery app stop ${name}`],
      path: `/apps/${app_id}`,
    },
  };
}

function adviseSchedule({ app_id, name, facts }: Subject, block: QuietBlock, rates: CostSettings): Recommendation {
  const { memory } = hourlyPrice(facts, rates);
  return {
    id: `scale_to_zero:${app_id}`,
    kind: "scale_to_zero",
    app_id,
    app_name: name,
    title: `Let ${name} rest from ${clock(block.from)} to ${clock(block.to)} UTC`,
    reason: `On none of the last ${QUIET_DAYS} days did it do anything in these ${block.hours} hours.`,
    // Next to no processor is used in quiet hours, so that it is memory that gets free.
    saving_per_month: money((memory * MONTH_HOURS * block.hours) / 24),
    coverage_percent: percent(facts.quiet.coverage),
    how_to_apply: {
      text: "Add these lines to a crontab where you are signed in with the orrery command. Times are UTC: shift them where that computer's clock shows another.",
      commands: [`0 ${block.from} * * * orrery app stop ${name}`, `0 ${block.to} * * * orrery app start ${name}`],
      path: null,
    },
  };
}

function adviseLimit(
  { app_id, name, facts }: Subject,
  { container, memory_mb }: NonNullable<Subject["limited"]>,
  rates: CostSettings,
): Recommendation | null {
  const peak_mb = facts.week.peak_memory_bytes / MIB;
  const proposal_mb = Math.max(STEP_MB, Math.ceil((peak_mb * HEADROOM) / STEP_MB) * STEP_MB);
  if (peak_mb === 0 || proposal_mb > memory_mb * MAX_SHARE) return null;
  return {
    id: `right_size:${app_id}`,
    kind: "right_size",
    app_id,
    app_name: name,
    title: `Give ${name} ${proposal_mb} MB of memory instead of ${memory_mb} MB`,
    reason: `In the last 7 days it never used more than ${Math.ceil(peak_mb)} MB; the new limit leaves half as much again.`,
    saving_per_month: money((((memory_mb - proposal_mb) * MIB) / GIB) * rates.memory_gb_hour * MONTH_HOURS),
    coverage_percent: percent(facts.week.coverage),
    how_to_apply: {
      text: "Run this on the server. It works at once and holds until the app is made anew, for example by an update.",
      commands: [`docker update --memory ${proposal_mb}m --memory-swap ${proposal_mb}m ${container}`],
      path: null,
    },
  };
}

/** What would save money with one app; the larger saving excludes the smaller one where both cannot be had. */
export function advise(subject: Subject, rates: CostSettings): Recommendation[] {
  const { facts, isRunning, limited } = subject;
  if (!isRunning) return [];
  const found: (Recommendation | null)[] = [];
  const isIdle = facts.idle.coverage >= MIN_COVERAGE && facts.idle.isIdle;
  if (isIdle) found.push(adviseStop(subject, rates));
  else if (facts.quiet.coverage >= MIN_COVERAGE && facts.quiet.block) {
    found.push(adviseSchedule(subject, facts.quiet.block, rates));
  }
  if (!isIdle && limited && facts.week.coverage >= MIN_COVERAGE) found.push(adviseLimit(subject, limited, rates));
  return found.filter((advice) => advice !== null);
}
