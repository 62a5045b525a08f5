import type { EventMeanings } from "../../event-meaning.ts";
import { inEach } from "../../languages.ts";
import type { ScimEvents } from "./contract.ts";
import { PAUSED } from "./words.ts";

/** What a directory's doing means. */
export const scimMeanings: EventMeanings<ScimEvents> = {
  "scim.token_add": { audit: ({ token_id, name }) => ({ subject_id: token_id, details: { name } }) },
  "scim.token_take_over": { audit: ({ token_id, name }) => ({ subject_id: token_id, details: { name } }) },
  "scim.token_pause": {
    audit: ({ token_id, name }) => ({ subject_id: token_id, details: { name } }),
    notice: ({ name }) => ({
      kind: "scim.token_paused",
      severity: "warning",
      words: inEach((language) => PAUSED[language](name)),
      link: "/settings/directory",
      to: { permission: "settings:write" },
    }),
  },
  "scim.token_remove": { audit: ({ token_id, name }) => ({ subject_id: token_id, details: { name } }) },
  "scim.user_add": { audit: ({ member_id, email, role }) => ({ subject_id: member_id, details: { email, role } }) },
  "scim.user_off": {
    audit: ({ member_id, email, is_gone }) => ({ subject_id: member_id, details: { email, is_gone } }),
  },
  "scim.user_on": { audit: ({ member_id, email }) => ({ subject_id: member_id, details: { email } }) },
  "scim.user_change": {
    audit: ({ member_id, email, change }) => ({ subject_id: member_id, details: { email, ...change } }),
  },
  "scim.role": {
    audit: ({ member_id, email, role, previous_role }) => ({
      subject_id: member_id,
      details: { email, role, previous_role },
    }),
  },
  "scim.group_role": {
    audit: ({ group_id, name, role, previous_role }) => ({
      subject_id: group_id,
      details: { name, role, previous_role },
    }),
  },
};
