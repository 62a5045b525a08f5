import { minutes } from "../../../lib/duration.ts";
import type { SessionRow } from "../sessions/index.ts";
import type { Needs } from "./needs.ts";
import { findAutoLock } from "./store.ts";

/** Locks sessions that gave no sign of life for as long as their user allows. */
export interface IdleLock {
  /** Notes a sign of life, or locks the session when the last one was too long ago. True when it is locked now. */
  note(session: SessionRow, ip: string): boolean;
  /** Only the second half: for requests that last, whose end says nothing about who sits there. */
  lockIfIdle(session: SessionRow, ip: string): boolean;
}

const MAX_SESSIONS = 10_000;
/** Shorter pauses need no look at the preference: it is in whole minutes. */
const SHORTEST_MS = minutes(1);

/** Signs of life are kept in memory; after a restart the session's last refresh stands in for them. */
export function createIdleLock({ db, clock, bus, sessions }: Needs): IdleLock {
  const lastSeen = new Map<string, { now: number; monotonic: number }>();

  function isTooLong(session: SessionRow, idleMs: number): boolean {
    if (idleMs < SHORTEST_MS) return false;
    const allowed = findAutoLock(db, session.user_id);
    return allowed !== null && idleMs >= minutes(allowed);
  }

  /** The longer of two measures: monotonic time stands still while the host sleeps, wall time may be set back. */
  function idleMs(session: SessionRow): number {
    const seen = lastSeen.get(session.id);
    if (!seen) return Math.abs(clock.now() - session.last_used_at);
    return Math.max(clock.now() - seen.now, clock.monotonic() - seen.monotonic);
  }

  function lockIfIdle(session: SessionRow, ip: string): boolean {
    if (!isTooLong(session, idleMs(session))) return false;
    lastSeen.delete(session.id);
    db.tx(() => {
      if (!sessions.lock(session.id)) return;
      bus.emit("session.locked", { user_id: session.user_id, session_id: session.id, ip, cause: "idle" });
    });
    return true;
  }

  return {
    lockIfIdle,
    note(session, ip) {
      if (lockIfIdle(session, ip)) return true;
      const oldest = lastSeen.keys().next();
      if (lastSeen.size >= MAX_SESSIONS && !oldest.done) lastSeen.delete(oldest.value);
      lastSeen.set(session.id, { now: clock.now(), monotonic: clock.monotonic() });
      return false;
    },
  };
}
