import { mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { toIso } from "../../../../lib/clock.ts";
import { createGate } from "../../../../lib/gate.ts";
import type { BufferCounts } from "../buffer/line-buffer.ts";
import type { ForwarderHealth, ForwarderRow } from "../forwarders/forwarder-store.ts";
import { listAllowed } from "../forwarders/paused.ts";
import type { Needs } from "../needs.ts";
import { isWanted, toWaiting } from "./choose-lines.ts";
import type { FollowedLine } from "./followed.ts";
import { createOwnReceivers } from "./own-receivers.ts";
import { readOn } from "./reader.ts";
import { openReadingPlace } from "./reading-place.ts";
import { bufferRoot, openRunner, type Runner, type RunnerDeps, WAITING_LIMIT } from "./runner.ts";

/** Bytes that may wait for all forwarders together. */
const TOTAL_LIMIT = 512 * 1_048_576;

/** How a forwarder is doing right now. */
export interface PumpStatus {
  counts: BufferCounts;
  health: ForwarderHealth;
  next_attempt_at: string | null;
  /** Containers of this server that are its receiver, or of one app with it. */
  kept_out: string[];
}

/** All forwarders at work. */
export interface Pumps {
  /** Most bytes that wait for one forwarder. */
  waitingLimit: number;
  status(row: ForwarderRow): PumpStatus;
  /** Brings what is at work in line with what is decided; works on after it has returned. */
  reconcile(): void;
  /** Resolves when the latest `reconcile` is done. */
  settled(): Promise<void>;
  /** Writes down how they are doing, and tells people what they should know. */
  tell(): void;
  start(): void;
  stop(): Promise<void>;
}

const NOTHING: BufferCounts = { waiting: 0, waiting_bytes: 0, sent: 0, dropped: 0 };

const isSame = (left: ForwarderRow, right: ForwarderRow): boolean =>
  (["name", "enabled", "config", "secret", "sources", "min_level"] as const).every((key) => left[key] === right[key]);

/** The work of all forwarders. Nothing is read, and nothing is on disk, while there is none. */
export function createPumps(
  deps: RunnerDeps & Pick<Needs, "followLogs" | "runtime" | "lists" | "accessChanges">,
  totalLimit = TOTAL_LIMIT,
): Pumps {
  const { clock, log, followLogs, accessChanges } = deps;
  const root = bufferRoot(deps);
  const ownReceivers = createOwnReceivers(deps);
  const runners = new Map<string, Runner>();
  const alone = createGate(1);
  let reading: { end: AbortController; ended: Promise<void> } | null = null;
  let isRunning = false;
  let stopListening = (): void => {};
  let latest: Promise<void> = Promise.resolve();

  const atWork = (): Runner[] => [...runners.values()].filter(({ row }) => row.enabled === 1);
  const total = (): number => [...runners.values()].reduce((sum, { buffer }) => sum + buffer.counts().waiting_bytes, 0);

  /** The one that holds most gives up its oldest lines, until all together have room. */
  async function keepWithinTotal(): Promise<void> {
    while (total() > totalLimit) {
      const [largest] = [...runners.values()].sort(
        (left, right) => right.buffer.counts().waiting_bytes - left.buffer.counts().waiting_bytes,
      );
      if (!(await largest?.buffer.dropOldest())) return;
    }
  }

  async function take(lines: readonly FollowedLine[]): Promise<void> {
    const now = toIso(clock.now());
    const encoded = lines.map((line) => Buffer.from(JSON.stringify(toWaiting(line, now))));
    await Promise.all(
      atWork().map(async (runner) => {
        const { sources, min_level } = runner.row;
        const closed = await ownReceivers.logsOf(runner.row);
        const wanted = encoded.filter((_, index) => {
          const line = lines[index];
          return line !== undefined && !closed.has(line.from) && isWanted(line, sources, min_level);
        });
        if (wanted.length === 0) return;
        await runner.buffer.append(wanted);
        runner.wake();
      }),
    );
    await keepWithinTotal();
  }

  function beginReading(): void {
    const end = new AbortController();
    const place = openReadingPlace(join(root, "place.json"), clock.now);
    const ended = readOn({
      clock,
      follow: followLogs,
      place,
      take,
      sync: async () => void (await Promise.all(atWork().map(({ buffer }) => buffer.sync()))),
      onBroken: (error) => log.warn("logs that are forwarded could not be read", { error }),
      onUnkept: (error) => log.warn("how far logs were read for forwarding was not written down", { error }),
      signal: end.signal,
    });
    reading = { end, ended };
  }

  async function endReading(): Promise<void> {
    const last = reading;
    reading = null;
    last?.end.abort();
    await last?.ended;
  }

  /** What waited for a forwarder that is gone, also where the program ended in between. */
  async function sweep(known: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(root).catch(() => [])) {
      if (name.startsWith("lfw_") && !known.has(name)) await rm(join(root, name), { recursive: true, force: true });
    }
  }

  async function bringOneInLine(row: ForwarderRow): Promise<void> {
    const runner = runners.get(row.id);
    void ownReceivers.logsOf(row);
    if (!runner) runners.set(row.id, await openRunner(deps, row));
    else if (!isSame(runner.row, row)) await runner.apply(row);
  }

  async function bringInLine(): Promise<void> {
    if (!isRunning) return;
    const rows = listAllowed(deps);
    const known = new Set(rows.map(({ id }) => id));
    for (const [id, runner] of runners) {
      if (known.has(id)) continue;
      runners.delete(id);
      await runner.remove();
    }
    if (rows.length > 0) mkdirSync(root, { recursive: true, mode: 0o700 });
    for (const row of rows) {
      await bringOneInLine(row).catch((error: unknown) =>
        log.error("log forwarder could not be opened", { forwarder_id: row.id, error }),
      );
    }
    await sweep(known);
    const isWanted = atWork().length > 0;
    if (isWanted && !reading) beginReading();
    if (!isWanted && reading) await endReading();
    // What is written while nobody forwards is not forwarded later.
    if (!isWanted) await rm(join(root, "place.json"), { force: true });
    if (rows.length === 0) await rm(root, { recursive: true, force: true });
  }

  function reconcile(): void {
    latest = alone(() =>
      bringInLine().catch((error: unknown) => log.error("log forwarders could not be brought in line", { error })),
    );
  }

  return {
    waitingLimit: WAITING_LIMIT,
    status(row) {
      const runner = runners.get(row.id);
      if (!runner) return { counts: NOTHING, health: row, next_attempt_at: null, kept_out: [] };
      // Found out for the next time that somebody looks; lines that come find it out by themselves.
      void ownReceivers.logsOf(row);
      const kept_out = row.sources === "system" ? [] : ownReceivers.latest(row.id);
      return { counts: runner.counts(), health: runner.health(), next_attempt_at: runner.nextAttempt(), kept_out };
    },
    reconcile,
    settled: () => latest,
    tell() {
      for (const runner of runners.values()) runner.tell();
      // One that could not be opened, as on a full disk, is tried again; one whose maker may have it again goes on.
      const isBehind = listAllowed(deps).some(({ id, enabled }) => runners.get(id)?.row.enabled !== enabled);
      if (isRunning && isBehind) reconcile();
    },
    start() {
      isRunning = true;
      stopListening = accessChanges.onChange(reconcile);
      reconcile();
    },
    async stop() {
      isRunning = false;
      stopListening();
      await latest;
      await endReading();
      await Promise.all([...runners.values()].map((runner) => runner.stop()));
      runners.clear();
    },
  };
}
