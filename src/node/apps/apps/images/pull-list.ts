import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../../lib/clock.ts";
import { createFairSlots, type SlotPath } from "../../../../lib/fair-slots.ts";
import type { Asker } from "../../../platform/operations/index.ts";
import { fail } from "../contract.ts";
import { AppFailure } from "../work/failure.ts";

/** More pulls at a time only share the same line, and each unpacks on the same disk. */
export const MOST_PULLS = 3;
/** So many may be under way or wait for one who asks: a person, a key. What each is for is kept in memory until then. */
export const MOST_OF_ONE = 20;
/** So many for all, the node itself among them. */
export const MOST_OF_ALL = 100;
/** What was begun while there was room may take so many times as much: it has more than one image, or the node was started anew. */
const LEEWAY = 2;
/** Each end is written down: after so many of them whoever else waits has a turn. */
const ENDS_AT_ONCE = 10;

/** What is said of a pull that has no place yet. */
export const WAITS = "Waits until another image is here";

const AGAIN = "Begin again when you like.";
const CANCELLED = { code: "pull_cancelled", cause: "It was cancelled before the image was here.", next_step: AGAIN };
const ASKER_ENDED = {
  code: "pull_cancelled",
  cause: "The API key that asked for it ended before the image was here.",
  next_step: AGAIN,
};

const busy = (count: number) => ({
  code: "pulls_busy",
  cause: `${count} images are being pulled or wait.`,
  next_step: "Wait until one is here, or cancel one, then try again.",
});

/** What a pull is given while it has a place. */
export interface PullPlace {
  /** Aborts when the pull is to end. */
  signal: AbortSignal;
  /** Whether others have places as well. */
  isShared(): boolean;
}

interface PullWish {
  image: string;
  by: Asker | null;
  signal: AbortSignal;
  /** Told when there is no place yet. */
  onWait(): void;
}

/** All images that are being pulled here, whatever for, and those that wait until there is a place. */
export interface PullList {
  /** Throws `pulls_busy` where a pull that comes now would have to wait. */
  assertPlace(): void;
  /** Throws `pulls_busy` where a pull of theirs may not even wait: to be asked before anything is begun that needs one. */
  assertRoom(by: Asker | null): void;
  /** Whether an image is being pulled, or waits for that. */
  has(image: string): boolean;
  /**
   * Pulls an image once there is a place; of those that wait the one has it next whose asker had least lately. Throws AppFailure
   * `pulls_busy` when it may not wait and `pull_cancelled` when somebody ends it, and what `pull` throws.
   */
  run<Result>(wish: PullWish, pull: (place: PullPlace) => Promise<Result>): Promise<Result>;
  /** Ends all pulls of an image. */
  cancel(image: string): Promise<void>;
  /** Ends the pulls of those who were let in by a key that has ended. */
  endUnasked(): Promise<void>;
}

interface Pull {
  image: string;
  by: Asker | null;
  end: AbortController;
}

/** For whom a pull is, as places are shared: an account, and in it the person or one of their keys. */
const pathOf = (by: Asker | null): SlotPath => (by === null ? ["node"] : ["account", by.user_id, by.key_id ?? ""]);

/** Ends pulls, the newest first: those that wait get no place for a moment. */
async function endAll(pulls: readonly Pull[], reason: typeof CANCELLED): Promise<void> {
  for (const [index, { end }] of pulls.toReversed().entries()) {
    if (index > 0 && index % ENDS_AT_ONCE === 0) await setImmediate();
    end.abort(reason);
  }
}

/** A list without a pull. */
export function createPullList(clock: Pick<Clock, "monotonic">): PullList {
  /** In the order in which they came; those that wait, too. */
  const pulls = new Set<Pull>();
  const inPlace = createFairSlots(clock, { size: MOST_PULLS, spare: 0, weightOf: () => 1 });
  const ofImage = (image: string) => [...pulls].filter((pull) => pull.image === image && !pull.end.signal.aborted);
  const isFull = () => pulls.size >= MOST_PULLS;

  /** How many there are, where one more of theirs is too many. */
  function findCrowd(by: Asker | null, times = 1): number | null {
    if (pulls.size >= MOST_OF_ALL * times) return pulls.size;
    if (by === null) return null;
    const own = pathOf(by).join();
    const count = [...pulls].filter((pull) => pathOf(pull.by).join() === own).length;
    return count >= MOST_OF_ONE * times ? count : null;
  }

  return {
    assertPlace() {
      if (isFull()) throw fail("pulls_busy", { limit: MOST_PULLS });
    },
    assertRoom(by) {
      const limit = findCrowd(by);
      if (limit !== null) throw fail("pulls_busy", { limit });
    },
    has: (image) => ofImage(image).length > 0,
    async run({ image, by, signal, onWait }, task) {
      const count = findCrowd(by, LEEWAY);
      if (count !== null) throw new AppFailure(busy(count));
      if (isFull()) onWait();
      const pull: Pull = { image, by, end: new AbortController() };
      const over = AbortSignal.any([signal, pull.end.signal]);
      pulls.add(pull);
      try {
        return await inPlace(
          pathOf(by),
          async () => {
            over.throwIfAborted();
            return await task({ signal: over, isShared: () => pulls.size > 1 });
          },
          over,
        );
      } catch (error) {
        if (signal.aborted || !pull.end.signal.aborted) throw error;
        throw new AppFailure(pull.end.signal.reason);
      } finally {
        pulls.delete(pull);
      }
    },
    cancel: (image) => endAll(ofImage(image), CANCELLED),
    async endUnasked() {
      const unasked: Pull[] = [];
      for (const pull of [...pulls])
        if ((await pull.by?.isStillIn?.()) === false && !pull.end.signal.aborted) unasked.push(pull);
      await endAll(unasked, ASKER_ENDED);
    },
  };
}
