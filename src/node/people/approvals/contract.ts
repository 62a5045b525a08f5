import { type Static, t } from "elysia";
import { answersAs, noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { open, user } from "../../access.ts";
import { User } from "../users/contract.ts";

/** `email` is the user name; node accounts have no other address. */
export const ApprovalInput = t.Object({ email: t.String({ minLength: 1, maxLength: 256 }) });

/** The same for known and unknown addresses. The code is for the requesting screen only. */
export const ApprovalCreated = t.Object({ request_id: t.String(), expires_at: t.String(), code: t.String() });
export type ApprovalCreated = Static<typeof ApprovalCreated>;

export const ApprovalStatus = t.Union([
  t.Literal("pending"),
  t.Literal("approved"),
  t.Literal("denied"),
  t.Literal("expired"),
]);
export type ApprovalStatus = Static<typeof ApprovalStatus>;

/** The first poll after the approval carries the session, later ones only the status. */
export const ApprovalPoll = t.Object({
  status: ApprovalStatus,
  access_token: t.Optional(t.String()),
  user: t.Optional(User),
});
export type ApprovalPoll = Static<typeof ApprovalPoll>;

export const PendingApproval = t.Object({
  id: t.String(),
  device: t.String(),
  ip: t.String(),
  /** Unknown to a node that asks no third party. */
  city: NullableText,
  created_at: t.String(),
  expires_at: t.String(),
});
export type PendingApproval = Static<typeof PendingApproval>;

export const PendingApprovals = t.Object({ requests: t.Array(PendingApproval) });
export const ApprovalDecision = t.Object({ approve: t.Boolean(), code: t.Optional(t.String({ maxLength: 32 })) });
export type ApprovalDecision = Static<typeof ApprovalDecision>;
export const ApprovalParams = t.Object({ id: t.String({ maxLength: 128 }) });

export const fail = defineErrors({
  approval_not_found: [404, "There is no such sign-in request."],
  approval_closed: [409, "This sign-in request was decided already."],
  approval_expired: [410, "This sign-in request is over two minutes old. Start again."],
  approval_code_wrong: [400, "The code is wrong, so the request was denied. Start again on the other device."],
  approvals_off: [409, "Approving sign-ins on another device is switched off on this node."],
});

export type ApprovalEvents = {
  /** `user_id` is empty for an unknown address; nobody sees that event. */
  "approval.requested": { user_id: string; request: PendingApproval };
  "approval.decided": { user_id: string; request_id: string; approved: boolean; device: string; ip: string };
  "approval.code_wrong": { user_id: string; request_id: string; device: string; ip: string };
};

export const approvalRoutes = defineRoutes({
  "POST /api/auth/approve/request": { access: open(), body: ApprovalInput, out: ApprovalCreated },
  "GET /api/auth/approve/pending": { access: user(), out: PendingApprovals },
  "GET /api/auth/approve/{id}": { access: open(), params: ApprovalParams, out: ApprovalPoll },
  /** Server-sent events `status` with `{status}`; ends with the request. */
  "GET /api/auth/approve/{id}/stream": { access: open(), params: ApprovalParams, ...answersAs("text/event-stream") },
  "POST /api/auth/approve/{id}/decide": {
    access: user(null, { keys: "never" }),
    params: ApprovalParams,
    body: ApprovalDecision,
    ...noContent(),
  },
});
export type ApprovalApi = ApiOf<typeof approvalRoutes>;
