import { toIso } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";
import { lengthInWords } from "../../../lib/time-words.ts";
import { advise, MIN_COVERAGE } from "./advice.ts";
import type { AppCost, CostRecommendations, CostSettings, CostSummary, CostTrends } from "./contract.ts";
import { IDLE_HOURS } from "./facts.ts";
import { type Account, KEPT_DAYS, type Ledger } from "./ledger.ts";
import { addUsage, diskUsage, MONTH_HOURS, noUsage, priceOf, type Usage } from "./usage.ts";

const TOP_APPS = 10;
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** What was used on the days `from` to before `to`, by days since 1970. */
function usageOf(accounts: readonly Account[], from: number, to: number): Usage {
  const usages = accounts.flatMap((account) => [...account.days].filter(([day]) => day >= from && day < to));
  return usages.map(([, usage]) => usage).reduce(addUsage, noUsage());
}

/** Days on which anything was measured. */
function measuredDays(accounts: readonly Account[], from: number, to: number): Set<number> {
  const found = accounts.flatMap((account) => [...account.days].filter(([, usage]) => usage.measured_hours > 0));
  return new Set(found.flatMap(([day]) => (day >= from && day < to ? [day] : [])));
}

function priceApp(account: Account, rates: CostSettings, from: number, to: number): Omit<AppCost, "share_percent"> {
  const usage = usageOf([account], from, to);
  const price = priceOf(usage, rates);
  return {
    app_id: account.app_id,
    app_name: account.name,
    installed: account.installed,
    cost: round(price.cost),
    cpu_cost: round(price.cpu_cost),
    memory_cost: round(price.memory_cost),
    disk_cost: round(price.disk_cost),
    cpu_core_hours: round(usage.cpu_core_hours),
    memory_gb_hours: round(usage.memory_gb_hours),
    disk_gb_hours: round(usage.disk_gb_hours),
  };
}

/** The last 30 days: what they cost, and which apps cost most. */
export function summarizeCost({ at, accounts }: Ledger, rates: CostSettings): CostSummary {
  const to = Math.floor(at / days(1)) + 1;
  const from = to - KEPT_DAYS;
  const price = priceOf(usageOf(accounts, from, to), rates);
  const measured = [...measuredDays(accounts, from, to)];
  const first = measured.length === 0 ? at : Math.min(...measured) * days(1);
  // The app that was measured longest tells how long there was measuring at all.
  const measured_hours = Math.max(0, ...accounts.map((one) => usageOf([one], from, to).measured_hours));
  const disk_bytes = accounts.reduce((sum, account) => sum + account.disk_bytes, 0);
  const monthlyDisk = priceOf(diskUsage(disk_bytes, hours(MONTH_HOURS)), rates).cost;
  const monthlyRun = ((price.cpu_cost + price.memory_cost) / measured_hours) * MONTH_HOURS;
  const apps = accounts.map((account) => priceApp(account, rates, from, to));
  return {
    currency: rates.currency,
    rates_are_defaults: rates.rates_are_defaults,
    from: toIso(first),
    to: toIso(at),
    measured_hours: round(measured_hours),
    total: round(price.cost),
    cpu_cost: round(price.cpu_cost),
    memory_cost: round(price.memory_cost),
    disk_cost: round(price.disk_cost),
    monthly_estimate: measured_hours >= 24 ? round(monthlyRun + monthlyDisk) : null,
    top_apps: apps
      .filter(({ cost, installed }) => installed || cost > 0)
      .sort((a, b) => b.cost - a.cost || a.app_name.localeCompare(b.app_name))
      .slice(0, TOP_APPS)
      .map((app) => ({ ...app, share_percent: price.cost > 0 ? round((app.cost / price.cost) * 100) : 0 })),
  };
}

/** Cost by day. */
export function readTrends({ at, accounts }: Ledger, rates: CostSettings, period: "7d" | "30d"): CostTrends {
  const count = period === "7d" ? 7 : 30;
  const to = Math.floor(at / days(1)) + 1;
  const measured = measuredDays(accounts, to - 2 * count, to);
  const points = Array.from({ length: count }, (_, index) => {
    const day = to - count + index;
    const date = toIso(day * days(1)).slice(0, 10);
    if (!measured.has(day)) return { date, total: null, cpu_cost: null, memory_cost: null, disk_cost: null };
    const { cost, cpu_cost, memory_cost, disk_cost } = priceOf(usageOf(accounts, day, day + 1), rates);
    return {
      date,
      total: round(cost),
      cpu_cost: round(cpu_cost),
      memory_cost: round(memory_cost),
      disk_cost: round(disk_cost),
    };
  });
  return {
    currency: rates.currency,
    rates_are_defaults: rates.rates_are_defaults,
    period,
    points,
    total: round(points.reduce((sum, point) => sum + (point.total ?? 0), 0)),
    change_percent: changeOf(points.map((point) => point.total)),
  };
}

/** The later half of the closed days against the earlier one; null when days are missing. */
function changeOf(totals: readonly (number | null)[]): number | null {
  const closed = totals.slice(0, -1);
  const half = Math.floor(closed.length / 2);
  const sumOf = (list: readonly (number | null)[]): number | null =>
    list.some((value) => value === null) ? null : list.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const [before, after] = [sumOf(closed.slice(-2 * half, -half)), sumOf(closed.slice(-half))];
  if (half === 0 || before === null || after === null || before === 0) return null;
  return round(((after - before) / before) * 100);
}

/** What would save money, the largest saving first, and about which apps nothing can be said yet. */
export function recommend({ at, accounts }: Ledger, rates: CostSettings): CostRecommendations {
  const running = accounts.filter(({ isRunning }) => isRunning);
  const recommendations = running
    .flatMap((account) => advise(account, rates))
    .sort((a, b) => b.saving_per_month - a.saving_per_month || a.id.localeCompare(b.id));
  const young = running.filter(({ facts }) => facts.idle.coverage < MIN_COVERAGE);
  return {
    generated_at: toIso(at),
    currency: rates.currency,
    rates_are_defaults: rates.rates_are_defaults,
    saving_per_month: round(recommendations.reduce((sum, { saving_per_month }) => sum + saving_per_month, 0)),
    recommendations,
    insufficient_data: young.map(({ app_id, name, facts }) => ({
      app_id,
      app_name: name,
      reason: `Advice needs ${IDLE_HOURS} hours of which at least 90% were measured; there are ${Math.round(facts.idle.coverage * 100)}%. Ready in about ${lengthInWords(hours(Math.max(1, IDLE_HOURS * (1 - facts.idle.coverage))))}.`,
    })),
  };
}
