import type { EventMeanings } from "../../event-meaning.ts";
import type { EmailProofEvents } from "./contract.ts";

/** What proofs of addresses mean. */
export const emailProofMeanings: EventMeanings<EmailProofEvents> = {
  "account.email_verify": { audit: ({ member_id }) => ({ subject_id: member_id, details: {} }) },
  "account.email_change": {
    audit: ({ member_id, email, previous }) => ({
      subject_id: member_id,
      details: { email, previous: { email: previous } },
    }),
  },
};
