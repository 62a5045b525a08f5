import { ofUser, onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { KeyEvents } from "./contract.ts";

const audit = onRecord<{ key_id: string; ip: string }>(({ key_id }) => `key:${key_id}`);

export const keyMeanings: EventMeanings<KeyEvents> = {
  "key.created": {
    audit,
    timeline: ofUser((user, { name }) => `${user} made the API key ${name}`, { isInbox: true }),
  },
  "key.revoked": {
    changesAccess: true,
    audit,
    timeline: ofUser((user, { name }) => `${user} revoked the API key ${name}`),
  },
};
