import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { type BodyLimits, createBodyBudget, type Take, tooMuch } from "./body-budget.ts";
import { type CrowdLimits, createCrowd } from "./crowd.ts";
import { type AppError, kernelFail } from "./errors.ts";
import { networksAround } from "./peer.ts";

/**
 * Runs `read` for whoever sends a body, within all limits on bodies; what `read` takes is told before it is held. `path` leads to who sends
 * it, the widest part first: the limits are those of its last part, the others count where somebody has to make room.
 */
export type BodyIntake = <T>(path: string | readonly string[], read: (take: Take) => Promise<T>) => Promise<T>;

const STRANGERS = "strangers";
/** The path to a stranger: all of them are one group, in which providers, sites and networks have their shares. */
export const asStranger = (ip: string): readonly string[] => [STRANGERS, ...networksAround(ip)];

/** A body that is on its way. */
interface Reading {
  owners: readonly string[];
  at: number;
  /** As lived: after the program stood still, nobody was slow for that long. */
  seconds: number;
  bytes: number;
  /** Gives back what it holds. */
  release(): void;
  stop(error: AppError): void;
}

/**
 * Bodies that may be on their way, each of which holds a connection, of strangers and of all others: one group among many would have no
 * more than a workspace has, and neither takes the room of the other. One of a usual size is through at once.
 */
const CROWD: CrowdLimits = { max: 500, maxOfEach: 200, fairMs: seconds(2) };
const TICK_MS = seconds(1);
/** What a body has for itself, and what it must bring a second beyond. */
const PATIENCE_S = 10;
const LEAST_PER_SECOND = 8_192;

// The rest of it would come in ahead of the next request.
const CLOSE = { connection: "close" };
const tooSlow = () => kernelFail("body_too_slow", { least_bytes: LEAST_PER_SECOND }, CLOSE);

/**
 * Bounds what bodies on their way may hold: memory, connections and time. Whoever sends a byte now and then is never idle for
 * the runtime; here a body has ten seconds and one more for every 8 KiB of it, and when there are too many, the oldest of
 * whoever has most has to go. Where they hold too much of the memory for one that comes, the oldest of whoever holds most goes,
 * if that is more than the other one holds and it has been here for a while.
 */
export function createBodyIntake(
  clock: Pick<Clock, "after" | "monotonic">,
  limits: BodyLimits,
  crowdLimits = CROWD,
): BodyIntake {
  const budget = createBodyBudget(limits);
  const open = new Set<Reading>();
  const bound = () => createCrowd<Reading>(clock, crowdLimits, (reading) => reading.stop(tooMuch(CLOSE)));
  const [strangers, others] = [bound(), bound()];
  let isTicking = false;

  function tick(): void {
    for (const reading of open) {
      reading.seconds += 1;
      if (reading.seconds > PATIENCE_S + reading.bytes / LEAST_PER_SECOND) reading.stop(tooSlow());
    }
    isTicking = false;
    watch();
  }

  /** Looks at those that are open once a second, as long as there are any. */
  function watch(): void {
    if (isTicking || open.size === 0) return;
    isTicking = true;
    clock.after(TICK_MS, tick);
  }

  /** What whoever sends `one` holds, without what counts for whoever sends the other as well. */
  function heldApart(one: Reading, other: Reading, held: ReadonlyMap<string, number>): number {
    const apart = one.owners.filter((owner) => !other.owners.includes(owner));
    return Math.max(0, ...apart.map((owner) => held.get(owner) ?? 0));
  }

  /** Stops a body of somebody who holds more than `asker` would with so many bytes more; false where nobody does. */
  function makeRoom(asker: Reading, more: number): boolean {
    const held = new Map<string, number>();
    for (const { owners, bytes } of open) for (const owner of owners) held.set(owner, (held.get(owner) ?? 0) + bytes);
    const now = clock.monotonic();
    let loser: Reading | null = null;
    let most = 0;
    for (const reading of open) {
      if (reading.bytes === 0 || now - reading.at <= crowdLimits.fairMs) continue;
      const has = heldApart(reading, asker, held);
      if (has > most && has > heldApart(asker, reading, held) + more) [loser, most] = [reading, has];
    }
    if (loser === null) return false;
    open.delete(loser);
    loser.release();
    loser.stop(tooMuch(CLOSE));
    return true;
  }

  return (path, read) => {
    const owners = typeof path === "string" ? [path] : path;
    const limited = owners.at(-1) ?? "";
    const crowd = owners[0] === STRANGERS ? strangers : others;
    const reading: Reading = { owners, at: clock.monotonic(), seconds: 0, bytes: 0, release() {}, stop() {} };
    const run = async (give: Take, release: () => void) => {
      const stopped = Promise.withResolvers<never>();
      reading.release = release;
      reading.stop = stopped.reject;
      if (!crowd.admit(reading, owners)) throw tooMuch(CLOSE);
      open.add(reading);
      watch();
      const reads = read((bytes) => {
        // What is stopped goes on until the connection is closed, and may not hold anything any more.
        if (!open.has(reading)) throw tooSlow();
        give(bytes);
        reading.bytes += bytes;
      });
      try {
        return await Promise.race([reads, stopped.promise]);
      } finally {
        open.delete(reading);
        crowd.leave(reading);
      }
    };
    return budget(limited, run, (bytes) => makeRoom(reading, bytes));
  };
}
