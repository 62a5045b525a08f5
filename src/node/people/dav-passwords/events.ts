import { ofUser, onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { DavPasswordEvents } from "./contract.ts";

const audit = onRecord<{ password_id: string; ip: string }>(({ password_id }) => `dav-password:${password_id}`);

export const davPasswordMeanings: EventMeanings<DavPasswordEvents> = {
  "dav_password.created": {
    audit,
    timeline: ofUser((user, { name }) => `${user} made the WebDAV password ${name}`, { isInbox: true }),
  },
  "dav_password.revoked": {
    changesAccess: true,
    audit,
    timeline: ofUser((user, { name }) => `${user} revoked the WebDAV password ${name}`),
  },
  "dav_password.refused": {
    audit: onRecord<{ username: string; ip: string }>(({ username }) => `username:${username}`),
  },
};
