import { createCached } from "../../../lib/cached.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { type AppRow, memoryLimitsOf } from "../../apps/apps/index.ts";
import type { SeriesRow } from "../metrics/index.ts";
import type { Subject } from "./advice.ts";
import { readFacts } from "./facts.ts";
import type { Needs } from "./needs.ts";
import { addUsage, diskUsage, noUsage, type Usage, usageOfHour } from "./usage.ts";

/** What one app used in the last 30 days, day by day. */
export interface Account extends Subject {
  installed: boolean;
  /** What it keeps on disk now. */
  disk_bytes: number;
  /** By days since 1970 UTC. */
  days: Map<number, Usage>;
}

export interface Ledger {
  /** When it was written, ms. */
  at: number;
  accounts: Account[];
}

type Deps = Pick<Needs, "series" | "clock" | "host" | "apps">;

export const KEPT_DAYS = 30;
const APP_PREFIX = "app:";
const FIGURES = ["cpu_percent", "mem_bytes", "net_rx_bps", "net_tx_bps"];
const FRESH_MS = minutes(1);

function usageByDay(rows: readonly SeriesRow[]): Map<number, Usage> {
  const found = new Map<number, Usage>();
  for (const row of rows) {
    const day = Math.floor(row.t / days(1));
    found.set(day, addUsage(found.get(day) ?? noUsage(), usageOfHour(row)));
  }
  return found;
}

/** Adds what lies on the disk to every day since the app was installed; sizes are those of now. */
function addDisk(byDay: Map<number, Usage>, bytes: number, since: number, now: number): void {
  if (bytes === 0) return;
  for (let day = Math.floor(Math.max(since, now - days(KEPT_DAYS)) / days(1)); day * days(1) < now; day++) {
    const from = Math.max(since, now - days(KEPT_DAYS), day * days(1));
    const usage = diskUsage(bytes, Math.min(now, (day + 1) * days(1)) - from);
    byDay.set(day, addUsage(byDay.get(day) ?? noUsage(), usage));
  }
}

function writeAccount(deps: Deps, app_id: string, app: AppRow | undefined, now: number): Account {
  const rows = deps.series.read(`${APP_PREFIX}${app_id}`, "h1", now - days(KEPT_DAYS), now, FIGURES);
  const byDay = usageByDay(rows);
  // Not measured yet costs nothing yet: the account is written again within a minute.
  const disk_bytes = (app && deps.apps.diskBytes(app_id)) ?? 0;
  if (app) addDisk(byDay, disk_bytes, Date.parse(app.created_at), now);
  const limits = app ? memoryLimitsOf(app) : [];
  const [only] = limits;
  return {
    app_id,
    name: app?.name ?? "An uninstalled app",
    installed: app !== undefined,
    disk_bytes,
    isRunning: app?.status === "running",
    limited: limits.length === 1 && only?.memory_mb ? { container: only.container, memory_mb: only.memory_mb } : null,
    facts: readFacts(rows, Math.floor(now / hours(1)) * hours(1)),
    days: byDay,
  };
}

/** The accounts of all apps, read at most once a minute and one app at a time. */
export function createLedger(deps: Deps) {
  async function write(): Promise<Ledger> {
    const now = deps.clock.now();
    const installed = new Map(deps.apps.list().map((app) => [app.id, app]));
    const measured = deps.series.entities("app").map(({ entity }) => entity.slice(APP_PREFIX.length));
    const accounts: Account[] = [];
    for (const id of new Set([...installed.keys(), ...measured])) {
      accounts.push(writeAccount(deps, id, installed.get(id), now));
      await deps.host.clock.sleep(0);
    }
    return { at: now, accounts };
  }
  return createCached(deps.clock, FRESH_MS, write);
}
