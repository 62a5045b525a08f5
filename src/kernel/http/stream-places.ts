import type { Clock } from "../../lib/clock.ts";
import { createSharedPlaces } from "../../lib/shared-places.ts";
import { kernelFail } from "./errors.ts";
import { readerOf } from "./unread-answers.ts";

/** How many streams there may be. */
export interface StreamLimits {
  /** Of one account, or of one network of strangers. */
  each: number;
  all: number;
}

/** A place of a stream. */
export interface StreamPlace {
  /** Aborts when it went to somebody else. */
  lost: AbortSignal;
  /** Gives it back, once. */
  give(): void;
}

/** Takes a place for the stream that a request asks for. Throws `streams_full`. */
export type TakeStreamPlace = (request: Request) => StreamPlace;

/**
 * Bounds the streams of a program: each is written to when something happens, and asked anew when somebody loses something. When there are
 * too many in all, the newest of whoever has most makes room for those who have fewer.
 */
export function createStreamPlaces(clock: Pick<Clock, "monotonic">, { each, all }: StreamLimits): TakeStreamPlace {
  const places = createSharedPlaces(clock, { size: all, fairMs: null });
  return (request) => {
    const place = places.take([{ key: readerOf(request), most: each, whose: "by your account" }]);
    if (place.full === null) return place;
    const { most, whose } = place.full === "all" ? { most: all, whose: "by all accounts" } : place.full;
    throw kernelFail("streams_full", { count: most, whose });
  };
}
