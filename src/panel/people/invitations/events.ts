import type { EventMeanings } from "../../event-meaning.ts";
import { inEach } from "../../languages.ts";
import type { InvitationEvents } from "./contract.ts";
import { ACCEPTED } from "./words.ts";

/** What invitations mean. */
export const invitationMeanings: EventMeanings<InvitationEvents> = {
  "team.invite": {
    audit: ({ invitation_id, email, role }) => ({ subject_id: invitation_id, details: { email, role } }),
  },
  "team.invite_resend": { audit: ({ invitation_id, email }) => ({ subject_id: invitation_id, details: { email } }) },
  "team.invite_link": { audit: ({ invitation_id, email }) => ({ subject_id: invitation_id, details: { email } }) },
  "team.invite_revoke": { audit: ({ invitation_id, email }) => ({ subject_id: invitation_id, details: { email } }) },
  "account.join": {
    audit: ({ by, email, role }) => ({ subject_id: by.member_id, details: { email, role } }),
    notice: ({ email, invited_by }) => ({
      kind: "invitation.accepted",
      severity: "success",
      words: inEach((language) => ACCEPTED[language](email)),
      link: "/team",
      to: { member_id: invited_by },
    }),
  },
};
