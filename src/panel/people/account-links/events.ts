import type { EventMeanings } from "../../event-meaning.ts";
import type { AccountLinkEvents } from "./contract.ts";

/** What links and what the operator does with accounts mean. */
export const accountLinkMeanings: EventMeanings<AccountLinkEvents> = {
  "account.link": { audit: ({ member_id, kind }) => ({ subject_id: member_id, details: { kind } }) },
  "account.reset_mailed": { audit: ({ member_id }) => ({ subject_id: member_id, details: {} }) },
  "account.link_used": { audit: ({ member_id, kind }) => ({ subject_id: member_id, details: { kind } }) },
  "account.staff": { audit: ({ member_id, staff }) => ({ subject_id: member_id, details: { staff } }) },
};
