import type { EventMeanings, PanelEvent } from "../../event-meaning.ts";
import type { AccountEvents } from "./contract.ts";

const aboutThemselves = ({ by }: PanelEvent) => ({ subject_id: by.member_id, details: {} });

/**
 * What the events of accounts mean. Those that begin with `account.` are about the own account; they alone keep no membership of
 * somebody who leaves.
 */
export const accountMeanings: EventMeanings<AccountEvents> = {
  "account.register": { audit: aboutThemselves },
  "account.sign_in": { audit: aboutThemselves },
  "account.sign_in_failed": { audit: ({ member_id }) => ({ subject_id: member_id, details: {} }) },
  "account.sign_out": { audit: aboutThemselves },
  "account.onboarding": { audit: aboutThemselves },
  "account.password_change": { audit: aboutThemselves },
  "account.language_change": { audit: ({ by, language }) => ({ subject_id: by.member_id, details: { language } }) },
  "account.profile_change": { audit: ({ by, name }) => ({ subject_id: by.member_id, details: { name } }) },
};
