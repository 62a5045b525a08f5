import { liveForUser, ofUser, onSession, onUser, SUSPICIOUS } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { SessionEvents } from "./contract.ts";

export const sessionMeanings: EventMeanings<SessionEvents> = {
  "session.revoked": { changesAccess: true, audit: onSession, live: liveForUser },
  "session.others_revoked": {
    changesAccess: true,
    audit: onUser,
    timeline: ofUser((name) => `${name} ended all other sessions`),
    live: liveForUser,
  },
  "session.refresh_reused": {
    changesAccess: true,
    audit: onSession,
    timeline: ofUser((name) => `A stolen sign-in of ${name} was noticed and ended`, {
      ...SUSPICIOUS,
      severity: "critical",
    }),
  },
};
