import type { HeartbeatInput } from "../../../shared/agent-protocol/index.ts";
import type { Sample } from "../samples/index.ts";
import { createColumns, FLAG } from "./columns.ts";
import { type FiguresOf, health, type Reason, type Verdict } from "./health.ts";
import { createLastHours } from "./last-hour.ts";
import type { NodeFacts, NodeFigures } from "./port.ts";

/** A node that nobody has heard of. */
export const UNHEARD: NodeFigures = Object.freeze({
  last_seen: 0,
  cpu: Number.NaN,
  memory: Number.NaN,
  disk: Number.NaN,
  net_in: Number.NaN,
  net_out: Number.NaN,
  uptime_seconds: Number.NaN,
  error_rate: Number.NaN,
  requests: Number.NaN,
  critical: false,
});

const MEASURED = ["cpu", "memory", "disk", "net_in", "net_out", "uptime_seconds"] as const;

/** Percent of a whole host: whoever tells of more has all of it in use. NaN for what it cannot measure. */
const share = (percent: number | null | undefined): number => Math.min(percent ?? Number.NaN, 100);

/** What is measured of all nodes, by their numbers. */
export function createVitals() {
  const store = createColumns();
  const hours = createLastHours();
  let listeningSince = 0;
  /** For how long runs before this one listened in vain for a node. */
  const missed = new Map<number, number>();
  // One object for all: a scan judges a hundred thousand nodes.
  const judged: FiguresOf = {
    ...UNHEARD,
    failed_apps: 0,
    marked_offline: false,
    listening_since: 0,
    known: null,
    unheard: false,
  };

  const has = (no: number, flag: number) => ((store.get().flags[no] ?? 0) & flag) !== 0;

  /** Since when the panel listens for a node: earlier by what it listened before it was started again. */
  const listeningFor = (no: number): number => listeningSince - (missed.get(no) ?? 0);

  function setFlag(no: number, flag: number, isSet: boolean): void {
    const { flags } = store.get();
    const others = (flags[no] ?? 0) & ~flag;
    flags[no] = isSet ? others | flag : others;
  }

  return {
    columns: store.get,
    lastHour: hours.read,
    restoreMinute: hours.restore,
    /** Says that nothing could be heard before `at`: silence counts from there, also where the clock was ahead. */
    listenFrom(at: number): void {
      listeningSince = at;
      const { last_seen } = store.get();
      for (const [no, seen] of last_seen.entries()) if (seen > at) last_seen[no] = at;
      hours.rewind(at);
    },
    /** Since when a node is silent, milliseconds. */
    silentSince: (no: number): number => Math.max(store.get().last_seen[no] ?? 0, listeningFor(no)),
    /** Says that runs before this one listened for a node in vain. */
    missedBefore(no: number, ms: number): void {
      if (ms > 0) missed.set(no, ms);
    },
    /** Makes room for a node and takes what its facts say about its health. */
    admit({ no, failed_apps, marked_offline, first_seen_at }: NodeFacts): void {
      store.reserve(no);
      setFlag(no, FLAG.appFailed, failed_apps > 0);
      // What was said about it may have been written down while it spoke.
      if (has(no, FLAG.markedOffline) && !marked_offline) setFlag(no, FLAG.knownOffline, false);
      setFlag(no, FLAG.markedOffline, marked_offline);
      const { last_seen } = store.get();
      // The first heartbeat is on disk at once, the latest only now and then.
      if (first_seen_at !== null && last_seen[no] === 0) last_seen[no] = first_seen_at;
    },
    clear(no: number): void {
      missed.delete(no);
      store.clear(no);
      hours.clear(no);
    },
    /** Takes a heartbeat that came at `now` (milliseconds); gives what it measured. */
    write(no: number, { metrics, status, uptime_seconds }: HeartbeatInput, now: number): Sample {
      const columns = store.get();
      const cpu = share(metrics.cpu_percent);
      const memory = share(metrics.memory_percent);
      const disk = share(metrics.disk_percent);
      const net_in = metrics.net_in ?? Number.NaN;
      const net_out = metrics.net_out ?? Number.NaN;
      columns.last_seen[no] = now;
      missed.delete(no);
      columns.cpu[no] = cpu;
      columns.memory[no] = memory;
      columns.disk[no] = disk;
      columns.net_in[no] = net_in;
      columns.net_out[no] = net_out;
      columns.uptime_seconds[no] = uptime_seconds ?? Number.NaN;
      columns.error_rate[no] = metrics.error_rate ?? Number.NaN;
      columns.requests[no] = metrics.requests ?? Number.NaN;
      setFlag(no, FLAG.knownLate | FLAG.knownOffline | FLAG.unheard, false);
      setFlag(no, FLAG.critical, status === "critical");
      const sample = { no, at: now, cpu, memory, disk, net_in, net_out };
      hours.add(no, now, sample);
      return sample;
    },
    /** Lets the silence of a judgement hold until the node is heard. */
    hold(no: number, status: Verdict["status"], reasons: readonly Reason[]): void {
      setFlag(no, FLAG.knownOffline, status === "offline");
      setFlag(no, FLAG.knownLate, reasons.includes("heartbeat_late"));
    },
    /** Takes the figures of the last run. */
    restore(no: number, figures: NodeFigures): void {
      const columns = store.get();
      columns.last_seen[no] = figures.last_seen;
      for (const name of MEASURED) columns[name][no] = figures[name];
      setFlag(no, FLAG.critical, figures.critical);
      setFlag(no, FLAG.unheard, true);
    },
    read(no: number): NodeFigures {
      const { last_seen, cpu, memory, disk, net_in, net_out, uptime_seconds, error_rate, requests } = store.get();
      return {
        last_seen: last_seen[no] ?? 0,
        cpu: cpu[no] ?? Number.NaN,
        memory: memory[no] ?? Number.NaN,
        disk: disk[no] ?? Number.NaN,
        net_in: net_in[no] ?? Number.NaN,
        net_out: net_out[no] ?? Number.NaN,
        uptime_seconds: uptime_seconds[no] ?? Number.NaN,
        error_rate: error_rate[no] ?? Number.NaN,
        requests: requests[no] ?? Number.NaN,
        critical: has(no, FLAG.critical),
      };
    },
    verdict(no: number, now: number): Verdict {
      const { last_seen, cpu, memory, disk } = store.get();
      judged.last_seen = last_seen[no] ?? 0;
      judged.cpu = cpu[no] ?? Number.NaN;
      judged.memory = memory[no] ?? Number.NaN;
      judged.disk = disk[no] ?? Number.NaN;
      judged.critical = has(no, FLAG.critical);
      judged.failed_apps = has(no, FLAG.appFailed) ? 1 : 0;
      judged.marked_offline = has(no, FLAG.markedOffline);
      judged.unheard = has(no, FLAG.unheard);
      judged.listening_since = listeningFor(no);
      judged.known = has(no, FLAG.knownOffline) ? "offline" : has(no, FLAG.knownLate) ? "late" : null;
      return health(judged, now);
    },
  };
}

export type Vitals = ReturnType<typeof createVitals>;
