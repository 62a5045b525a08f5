import type { Asker } from "../../../platform/operations/index.ts";
import { AppFailure } from "../work/failure.ts";

/** More pulls at a time only share the same line, and each unpacks on the same disk. */
export const MOST_PULLS = 3;

/** What is said of a pull that has no place yet. */
export const WAITS = "Waits until another image is here";

const AGAIN = "Begin again when you like.";
const CANCELLED = { code: "pull_cancelled", cause: "It was cancelled before the image was here.", next_step: AGAIN };
const ASKER_ENDED = {
  code: "pull_cancelled",
  cause: "The API key that asked for it ended before the image was here.",
  next_step: AGAIN,
};

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
  /** Whether whoever comes now would wait. */
  isFull(): boolean;
  /** Whether an image is being pulled, or waits for that. */
  has(image: string): boolean;
  /** Pulls an image once there is a place. Throws AppFailure `pull_cancelled` when somebody ends it, and what `pull` throws. */
  run<Result>(wish: PullWish, pull: (place: PullPlace) => Promise<Result>): Promise<Result>;
  /** Ends all pulls of an image. */
  cancel(image: string): void;
  /** Ends the pulls of those who were let in by a key that has ended. */
  endUnasked(): Promise<void>;
}

interface Pull {
  image: string;
  by: Asker | null;
  end: AbortController;
  hasPlace: boolean;
  /** Gives it a place. */
  begin(): void;
}

/** A list without a pull. */
export function createPullList(): PullList {
  /** In the order in which they came. */
  const pulls = new Set<Pull>();
  const places = () => [...pulls].filter(({ hasPlace }) => hasPlace).length;
  const ofImage = (image: string) => [...pulls].filter((pull) => pull.image === image && !pull.end.signal.aborted);

  function giveOut(): void {
    for (const pull of pulls) {
      if (places() >= MOST_PULLS) return;
      if (pull.hasPlace) continue;
      pull.hasPlace = true;
      pull.begin();
    }
  }

  return {
    isFull: () => places() >= MOST_PULLS,
    has: (image) => ofImage(image).length > 0,
    async run({ image, by, signal, onWait }, task) {
      const turn = Promise.withResolvers<void>();
      const pull: Pull = { image, by, end: new AbortController(), hasPlace: false, begin: turn.resolve };
      const over = AbortSignal.any([signal, pull.end.signal]);
      over.addEventListener("abort", () => turn.resolve());
      pulls.add(pull);
      try {
        giveOut();
        if (!pull.hasPlace) {
          onWait();
          await turn.promise;
        }
        over.throwIfAborted();
        return await task({ signal: over, isShared: () => places() > 1 });
      } catch (error) {
        if (signal.aborted || !pull.end.signal.aborted) throw error;
        throw new AppFailure(pull.end.signal.reason);
      } finally {
        pulls.delete(pull);
        giveOut();
      }
    },
    cancel(image) {
      for (const pull of ofImage(image)) pull.end.abort(CANCELLED);
    },
    async endUnasked() {
      for (const pull of [...pulls])
        if ((await pull.by?.isStillIn?.()) === false && !pull.end.signal.aborted) pull.end.abort(ASKER_ENDED);
    },
  };
}
