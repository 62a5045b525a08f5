import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { open, user } from "../../access.ts";
import { SignedIn } from "../sign-ins/contract.ts";

/** `session_id` goes into the code; `secret` never leaves the screen that shows it. */
export const QrCreated = t.Object({ session_id: t.String(), secret: t.String(), expires_at: t.String() });
export type QrCreated = Static<typeof QrCreated>;

export const QrState = t.Union([
  t.Literal("pending"),
  t.Literal("approved"),
  t.Literal("consumed"),
  t.Literal("expired"),
]);
export type QrState = Static<typeof QrState>;
export const QrStatus = t.Object({ status: QrState });
export type QrStatus = Static<typeof QrStatus>;

const SessionId = t.String({ minLength: 1, maxLength: 128 });
export const QrParams = t.Object({ session_id: SessionId });
export const QrApproval = t.Object({ session_id: SessionId });
export const QrApproved = t.Object({ status: t.Literal("approved"), message: t.String() });
export type QrApproved = Static<typeof QrApproved>;
export const QrExchange = t.Object({ session_id: SessionId, secret: t.String({ minLength: 1, maxLength: 256 }) });
export type QrExchange = Static<typeof QrExchange>;

export const fail = defineErrors({
  // One answer for an unknown id, a wrong secret and a used session: none of them may be told apart.
  qr_invalid: [401, "invalid qr session"],
  qr_not_found: [404, "There is no such QR sign-in. Reload the code on the other device."],
  qr_pending: [409, "This QR sign-in has not been approved yet."],
  qr_closed: [409, "This QR sign-in was approved or used already."],
  qr_expired: [410, "This QR code is too old. Reload it on the other device."],
});

export type QrEvents = {
  "qr.approved": { user_id: string; ip: string; device: string };
};

const approval = { access: user(null, { keys: "never" }), body: QrApproval, out: QrApproved };

export const qrRoutes = defineRoutes({
  "POST /api/auth/qr/generate": { access: open(), out: QrCreated },
  "GET /api/auth/qr/status/{session_id}": { access: open(), params: QrParams, out: QrStatus },
  "POST /api/auth/qr/approve": approval,
  /** The name that older mobile apps know. */
  "POST /api/auth/qr/authenticate": approval,
  "POST /api/auth/qr/exchange": { access: open(), body: QrExchange, out: SignedIn },
});
export type QrApi = ApiOf<typeof qrRoutes>;
