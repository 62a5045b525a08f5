import type { Clock } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";
import { createGate } from "../../../../lib/gate.ts";
import type { FollowedLine, FollowLogs } from "./followed.ts";
import type { ReadingPlace } from "./reading-place.ts";

/** What is held in memory before it goes into the buffers. */
const MOST_LINES = 500;
const MOST_CHARACTERS = 200_000;
/** Lines go at least so often, and what was read is noted. */
const EVERY_MS = seconds(1);
/** Before sources that broke off are read again. */
const AGAIN_MS = seconds(5);

export interface ReaderOptions {
  clock: Clock;
  follow: FollowLogs;
  place: ReadingPlace;
  /** Puts lines into the buffers. */
  take(lines: readonly FollowedLine[]): Promise<void>;
  /** Brings the buffers onto the disk. */
  sync(): Promise<void>;
  onBroken(error: unknown): void;
  /** The place could not be noted, told once until it can be: what is logged about it would be read and noted too. */
  onUnkept(error: unknown): void;
  signal: AbortSignal;
}

/**
 * Reads every line once for all forwarders, from where the reading stood, until the signal aborts. No more is read than the buffers
 * take, and the place is noted only when what was read before it is on disk.
 */
export async function readOn({
  clock,
  follow,
  place,
  take,
  sync,
  onBroken,
  onUnkept,
  signal,
}: ReaderOptions): Promise<void> {
  const alone = createGate(1);
  let held: FollowedLine[] = [];
  let characters = 0;
  let isDirty = false;
  let isUnkept = false;

  const flush = (): Promise<void> =>
    alone(async () => {
      const lines = held;
      held = [];
      characters = 0;
      if (lines.length === 0) return;
      await take(lines);
      place.note(lines);
      isDirty = true;
    });

  const keep = (): Promise<void> =>
    alone(async () => {
      if (!isDirty) return;
      isDirty = false;
      await sync();
      try {
        await place.save();
        isUnkept = false;
      } catch (error) {
        isDirty = true;
        if (!isUnkept) onUnkept(error);
        isUnkept = true;
      }
    });

  const tick = async (): Promise<void> => {
    await flush();
    await keep();
  };
  let ticking: Promise<void> | null = null;
  const stopTicks = clock.every(EVERY_MS, () => {
    ticking ??= tick()
      .catch(onBroken)
      .finally(() => {
        ticking = null;
      });
  });

  while (!signal.aborted) {
    try {
      for await (const line of follow(place.since(), signal)) {
        if (place.wasRead(line)) continue;
        held.push(line);
        characters += line.text.length;
        if (held.length >= MOST_LINES || characters >= MOST_CHARACTERS) await flush();
      }
    } catch (error) {
      if (!signal.aborted) onBroken(error);
    }
    // What is held is noted before reading begins again behind it.
    await flush().catch(onBroken);
    if (!signal.aborted) await clock.sleep(AGAIN_MS, signal);
  }
  stopTicks();
  await ticking;
  await tick().catch(onBroken);
}
