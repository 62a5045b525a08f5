import { ofUser, onUser, SUSPICIOUS } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { TotpEvents } from "./contract.ts";

export const totpMeanings: EventMeanings<TotpEvents> = {
  "totp.enabled": { audit: onUser, timeline: ofUser((name) => `${name} turned two-factor on`) },
  "totp.disabled": { audit: onUser, timeline: ofUser((name) => `${name} turned two-factor off`, SUSPICIOUS) },
  "totp.proof_failed": { audit: onUser },
  "totp.recovery_codes_made": { audit: onUser },
  "totp.recovery_code_used": {
    audit: onUser,
    timeline: ofUser((name, { left }) => `${name} used a recovery code; ${left} are left`, SUSPICIOUS),
  },
};
