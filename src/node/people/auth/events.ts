import { ofUser, onSession, onUser } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { AuthEvents } from "./contract.ts";

export const authMeanings: EventMeanings<AuthEvents> = {
  "auth.owner_created": {
    audit: onUser,
    timeline: ({ user_id, username }) => ({
      category: "auth",
      severity: "info",
      title: `${username} set this server up`,
      subject: ["user", user_id],
      link: "/users",
    }),
  },
  "auth.signed_out": { changesAccess: true, audit: onSession },
  "auth.password_changed": {
    changesAccess: true,
    audit: onUser,
    timeline: ofUser((name) => `${name} changed the passphrase`),
  },
  "auth.password_change_failed": { audit: onUser },
  "auth.password_reset": { audit: onUser },
};
