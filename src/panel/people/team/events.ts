import type { EventMeanings } from "../../event-meaning.ts";
import type { TeamEvents } from "./contract.ts";

/** What changes of a team mean. */
export const teamMeanings: EventMeanings<TeamEvents> = {
  "team.remove": {
    audit: ({ member_id, name, email, role }) => ({ subject_id: member_id, details: { name, email, role } }),
  },
  "team.restore": {
    audit: ({ member_id, role }) => ({ subject_id: member_id, details: { role } }),
  },
  "team.clear": { audit: ({ member_id, count }) => ({ subject_id: member_id, details: { count } }) },
  "team.role_change": {
    audit: ({ member_id, role, previous_role }) => ({ subject_id: member_id, details: { role, previous_role } }),
  },
};
