import { ofUser, onRecord, SUSPICIOUS } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { PasskeyEvents } from "./contract.ts";

const audit = onRecord<{ passkey_id: string; ip: string }>(({ passkey_id }) => `passkey:${passkey_id}`);

export const passkeyMeanings: EventMeanings<PasskeyEvents> = {
  "passkey.registered": { audit, timeline: ofUser((user, { name }) => `${user} added the passkey ${name}`) },
  "passkey.deleted": { audit, timeline: ofUser((user, { name }) => `${user} deleted the passkey ${name}`) },
  "passkey.counter_regressed": {
    audit,
    timeline: ofUser((name) => `A copied passkey of ${name} was refused`, { ...SUSPICIOUS, severity: "critical" }),
  },
};
