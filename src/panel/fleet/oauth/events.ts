import type { EventMeanings } from "../../event-meaning.ts";
import type { OauthEvents } from "./contract.ts";

/** What signing in to nodes means. */
export const oauthMeanings: EventMeanings<OauthEvents> = {
  "oauth.consent": { audit: ({ node_id, redirect_host }) => ({ subject_id: node_id, details: { redirect_host } }) },
  "fleet.impersonate": {
    audit: ({ node_id, identity, address }) => ({ subject_id: node_id, details: { identity, address } }),
  },
};
