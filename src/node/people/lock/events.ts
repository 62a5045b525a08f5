import { liveForUser, ofUser, onSession, onUser } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { LockEvents } from "./contract.ts";

export const lockMeanings: EventMeanings<LockEvents> = {
  "session.locked": { changesAccess: true, audit: onSession, live: liveForUser },
  "session.unlocked": { changesAccess: true, audit: onSession },
  "session.unlock_failed": {
    audit: onUser,
    timeline: ofUser((name) => `Failed try to unlock a session of ${name}`, {
      severity: "warning",
      fold: "unlock failed",
    }),
  },
};
