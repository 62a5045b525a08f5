import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { LATE_MS } from "./health.ts";
import type { Recorder } from "./recorder.ts";
import type { Roster } from "./roster.ts";
import type { Statuses } from "./statuses.ts";
import type { Vitals } from "./vitals.ts";
import { createWheel } from "./wheel.ts";

const TICK_MS = seconds(1);
/** A clock that moves by so much more or less than time passes was set, or the program stood still. */
const STEP_MS = seconds(5);

export interface WatchDeps {
  clock: Clock;
  log: Log;
  roster: Roster;
  vitals: Vitals;
  statuses: Statuses;
  recorder: Recorder;
}

/** Finds the nodes that have fallen silent, without ever looking at all of them. */
export function createWatch({ clock, log, roster, vitals, statuses, recorder }: WatchDeps) {
  const wheel = createWheel(clock.now());
  let last = { wall: clock.now(), monotonic: clock.monotonic() };
  let isFailing = false;

  function wait(no: number, now: number): void {
    const due = statuses.nextLook(no, now);
    // Never longer: heard in the meantime, it would be late sooner than what it waits for.
    if (due !== null) wheel.add(no, Math.min(due, now + LATE_MS));
  }

  /** Looks at a node whose time has come. */
  async function look(no: number, now: number): Promise<void> {
    const facts = roster.at(no);
    if (!facts) return;
    // What is being written may be about just this.
    if (recorder.isBusy(no)) return wheel.add(no, now);
    const change = statuses.changeOf(facts, now);
    if (!change) return wait(no, now);
    try {
      await recorder.record(facts, null, change);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error("changes of nodes cannot be written", { error });
      isFailing = true;
      wheel.add(no, now);
      return;
    }
    wait(no, clock.now());
  }

  /** While the clock was set or the program stood still nobody could be heard in time: all begin anew. */
  function excuse(now: number): void {
    last = { wall: now, monotonic: clock.monotonic() };
    vitals.listenFrom(now);
    for (const no of wheel.reset(now)) wait(no, now);
  }

  return {
    /** The node was heard, or has come. */
    follow(no: number, now: number): void {
      if (!wheel.has(no)) wait(no, now);
    },
    /** Something else than silence was said of the node: judges it at once, whenever its turn would come. */
    judge: (no: number, now: number): void => void look(no, now),
    excuse,
    tick(): void {
      const now = { wall: clock.now(), monotonic: clock.monotonic() };
      const passed = now.monotonic - last.monotonic;
      const isStepped = Math.abs(now.wall - last.wall - passed) > STEP_MS;
      const isLate = passed > TICK_MS + STEP_MS;
      last = now;
      if (isStepped || isLate) {
        log.warn("nobody could be heard in time: silence is counted from now on", {
          stood_still_ms: Math.round(passed),
          clock_set: isStepped,
        });
        excuse(now.wall);
      }
      for (const no of wheel.advance(now.wall)) void look(no, now.wall);
    },
  };
}
