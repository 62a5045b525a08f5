import type { EventMeanings } from "../../event-meaning.ts";
import type { OnboardingEvents } from "./contract.ts";

/** What letting servers in and out means. */
export const onboardingMeanings: EventMeanings<OnboardingEvents> = {
  "fleet.token.create": {
    audit: ({ token_id, name, max_uses, expires_at }) => ({
      subject_id: token_id,
      details: { name, max_uses, expires_at },
    }),
  },
  "fleet.token.revoke": { audit: ({ token_id, name }) => ({ subject_id: token_id, details: { name } }) },
  "fleet.instance.delete": { audit: ({ node_id, hostname }) => ({ subject_id: node_id, details: { hostname } }) },
};
