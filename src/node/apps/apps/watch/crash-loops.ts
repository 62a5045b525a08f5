import type { Clock } from "../../../../lib/clock.ts";
import { minutes } from "../../../../lib/duration.ts";

/** The figures of the alert rule for it, so that the page and the alert say the same. */
export const LOOP_ENDS = 3;
export const LOOP_MS = minutes(10);

/** Recognises services that end again and again. */
export interface CrashLoops {
  /** A service of an app ended unasked. */
  note(appId: string, service: string): void;
  /** How often it ended in the latest ten minutes when that is a loop, and when it is none any more; otherwise null. */
  find(appId: string, service: string): { ends: number; over_in_ms: number } | null;
  /** Somebody works on the app: what comes is a new beginning. */
  forget(appId: string): void;
  reset(): void;
}

/** A loop is three ends in ten minutes, and over when ten minutes have fewer. */
export function createCrashLoops(clock: Pick<Clock, "now">): CrashLoops {
  const ends = new Map<string, Map<string, number[]>>();
  const recent = (appId: string, service: string): number[] => {
    const since = clock.now() - LOOP_MS;
    return (ends.get(appId)?.get(service) ?? []).filter((at) => at > since);
  };
  return {
    note(appId, service) {
      const ofApp = ends.get(appId) ?? new Map<string, number[]>();
      // Docker starts what falls at once some twenty times in ten minutes.
      ofApp.set(service, [...recent(appId, service), clock.now()].slice(-100));
      ends.set(appId, ofApp);
    },
    find(appId, service) {
      const times = recent(appId, service);
      const last = times.at(-LOOP_ENDS);
      return last === undefined ? null : { ends: times.length, over_in_ms: last + LOOP_MS - clock.now() };
    },
    forget: (appId) => void ends.delete(appId),
    reset: () => ends.clear(),
  };
}
