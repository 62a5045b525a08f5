import { liveForUser, ofUser, onUser, SUSPICIOUS } from "../../event-lines.ts";
import type { AuditLine, EventMeanings } from "../../event-meaning.ts";
import type { ApprovalEvents } from "./contract.ts";

/** Without the id of the request, which says nothing once that is over. */
const audit = ({ request_id: _, ...data }: ApprovalEvents["approval.code_wrong"]): AuditLine => onUser(data);

export const approvalMeanings: EventMeanings<ApprovalEvents> = {
  "approval.requested": { live: liveForUser },
  "approval.decided": { audit, live: liveForUser },
  "approval.code_wrong": {
    audit,
    timeline: ofUser((name) => `A sign-in request to ${name} was answered with a wrong code`, SUSPICIOUS),
  },
};
