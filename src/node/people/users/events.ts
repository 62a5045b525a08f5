import { liveForAdmins, ofUser, onUser } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { UserEvents } from "./contract.ts";

const PAGE = { link: "/users" };

export const userMeanings: EventMeanings<UserEvents> = {
  "user.created": {
    live: liveForAdmins,
    audit: onUser,
    timeline: ofUser((_, { username, role }) => `${username} was added as ${role}`, PAGE),
  },
  "user.renamed": {
    live: liveForAdmins,
    audit: onUser,
    timeline: ofUser((_, { from, to }) => `${from} is now called ${to}`, PAGE),
  },
  "user.role_changed": {
    changesAccess: true,
    live: liveForAdmins,
    audit: onUser,
    timeline: ofUser((name, { to }) => `${name} is now ${to}`, PAGE),
  },
  "user.disabled": {
    changesAccess: true,
    live: liveForAdmins,
    audit: onUser,
    timeline: ofUser((name) => `${name} was switched off`, PAGE),
  },
  "user.enabled": {
    changesAccess: true,
    live: liveForAdmins,
    audit: onUser,
    timeline: ofUser((name) => `${name} was switched on again`, PAGE),
  },
  "user.deleted": {
    changesAccess: true,
    live: liveForAdmins,
    audit: onUser,
    timeline: ofUser((_, { username }) => `${username} was deleted`, PAGE),
    goneUser: ({ user_id }) => user_id,
  },
};
