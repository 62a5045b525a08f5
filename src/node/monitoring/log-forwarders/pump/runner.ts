import { join } from "node:path";
import { toIso } from "../../../../lib/clock.ts";
import { hours } from "../../../../lib/duration.ts";
import { parseJson } from "../../../../lib/json.ts";
import { type BufferCounts, type DropReason, type LineBuffer, openLineBuffer } from "../buffer/line-buffer.ts";
import { type ForwarderHealth, type ForwarderRow, findForwarder, updateHealth } from "../forwarders/forwarder-store.ts";
import { openSecret } from "../forwarders/secret.ts";
import type { Needs } from "../needs.ts";
import { asChecked, createSender } from "../senders/index.ts";
import { type Drain, startDrain } from "./drain.ts";

export type RunnerDeps = Pick<
  Needs,
  "db" | "clock" | "random" | "seal" | "bus" | "ownPorts" | "identity" | "log" | "config"
>;

/** Bytes that may wait for one forwarder: some days of a busy server. */
export const WAITING_LIMIT = 128 * 1_048_576;
/** Nothing got through for so long: people are told; and they are told of losses once in such a time. */
const TOLD_AFTER_MS = hours(1);

const WHY: Record<DropReason, string> = {
  limit: "more waited than there is room for. Mend the receiver, or forward fewer lines",
  disk: "the disk with the data of this server took nothing more. Free some space",
  damage: "what had been written to the disk could not be read again",
  refused: "the receiver refused them again and again",
};

/** The folder of everything that waits. */
export const bufferRoot = ({ config }: Pick<Needs, "config">): string => join(config.data_dir, "log-forwarders");

/** One forwarder at work: what waits for it, and its way out. */
export interface Runner {
  row: ForwarderRow;
  buffer: LineBuffer;
  counts(): BufferCounts;
  health(): ForwarderHealth;
  /** When it is tried again; null when nothing stands in its way. */
  nextAttempt(): string | null;
  /** There is something new to send. */
  wake(): void;
  /** Goes on with what was decided anew; what waits stays. */
  apply(row: ForwarderRow): Promise<void>;
  /** Writes down how it is doing, and tells people what they should know. */
  tell(): void;
  stop(): Promise<void>;
  /** Ends it for good. */
  remove(): Promise<void>;
}

/** Opens what waits for a forwarder, and begins to send it where that is wanted. */
export async function openRunner(deps: RunnerDeps, first: ForwarderRow): Promise<Runner> {
  const { db, clock, random, bus, log, ownPorts, identity } = deps;
  let row = first;
  let health: ForwarderHealth = first;
  let nextAttempt: number | null = null;
  let drain: Drain | null = null;
  let isChanged = false;
  let untold = { lines: 0, why: WHY.limit };
  let toldOfLoss: number | null = null;

  const buffer = await openLineBuffer({
    folder: join(bufferRoot(deps), first.id),
    limit: WAITING_LIMIT,
    onDrop(lines, why) {
      untold = { lines: untold.lines + lines, why: WHY[why] };
      health = { ...health, dropped_at: toIso(clock.now()), dropped_why: WHY[why] };
      isChanged = true;
    },
  });

  /** Writes down how it is doing; a full disk must not stop the sending. */
  function keep(): void {
    try {
      db.tx(() => updateHealth(db, first.id, health));
      isChanged = false;
    } catch (error) {
      log.warn("how a log forwarder is doing was not written down", { forwarder_id: first.id, error });
    }
  }

  function onTaken(): void {
    const { failing_since, is_told } = health;
    health = { ...health, failing_since: null, last_error: null, is_told: 0, last_sent_at: toIso(clock.now()) };
    nextAttempt = null;
    isChanged = true;
    if (failing_since === null) return;
    keep();
    const { id, name } = row;
    if (is_told === 1) bus.emit("log_forwarder.recovered", { forwarder_id: id, name, failing_since });
  }

  function onFailed(words: string, again: number): void {
    nextAttempt = again;
    const isFirst = health.failing_since === null;
    health = { ...health, failing_since: health.failing_since ?? toIso(clock.now()), last_error: words };
    isChanged = true;
    if (isFirst) keep();
  }

  function begin(): void {
    if (row.enabled === 0) return;
    const checked = asChecked(row.kind, parseJson(row.config));
    const secret = checked ? openSecret(deps, row) : null;
    if (!checked) throw new Error("the stored configuration cannot be read");
    const sender = createSender({ clock, ownPorts, server: identity.name }, checked, secret);
    drain = startDrain({ clock, random, id: row.id, buffer, sender, onTaken, onFailed });
  }

  /** A secret that was sealed under another key is nothing that others should suffer from. */
  function tryBegin(): void {
    try {
      begin();
    } catch (error) {
      log.error("log forwarder could not begin", { forwarder_id: row.id, error });
      onFailed("The stored configuration cannot be read. Enter it and the secret again.", clock.now());
    }
  }

  async function halt(): Promise<void> {
    const last = drain;
    drain = null;
    await last?.stop();
  }

  function tellOfFailing(): void {
    const { failing_since, is_told, last_error } = health;
    if (failing_since === null || is_told === 1 || row.enabled === 0) return;
    if (clock.now() - Date.parse(failing_since) < TOLD_AFTER_MS) return;
    health = { ...health, is_told: 1 };
    const error = (last_error ?? "").replace(/[.\s]+$/, "");
    db.tx(() => {
      updateHealth(db, row.id, health);
      const { waiting } = buffer.counts();
      bus.emit("log_forwarder.failing", { forwarder_id: row.id, name: row.name, failing_since, error, waiting });
    });
  }

  function tellOfLoss(): void {
    const { lines, why } = untold;
    const isTime = toldOfLoss === null || clock.monotonic() - toldOfLoss >= TOLD_AFTER_MS;
    if (lines === 0 || !isTime) return;
    toldOfLoss = clock.monotonic();
    untold = { lines: 0, why };
    bus.emit("log_forwarder.dropped", { forwarder_id: row.id, name: row.name, lines, why });
  }

  tryBegin();
  return {
    get row() {
      return row;
    },
    buffer,
    counts: buffer.counts,
    health: () => health,
    nextAttempt: () => (nextAttempt === null ? null : toIso(nextAttempt)),
    wake: () => drain?.wake(),
    async apply(next) {
      await halt();
      // An hour in which nothing was tried is no hour of failures.
      const isBack = row.enabled === 0 && next.enabled === 1 && health.is_told === 0;
      if (isBack) health = { ...health, failing_since: null, last_error: null };
      row = next;
      nextAttempt = null;
      tryBegin();
    },
    tell() {
      if (!findForwarder(db, row.id)) return;
      if (isChanged) keep();
      tellOfFailing();
      tellOfLoss();
    },
    async stop() {
      await halt();
      if (isChanged) keep();
      await buffer.close();
    },
    async remove() {
      await halt();
      await buffer.remove();
    },
  };
}
