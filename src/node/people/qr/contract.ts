import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { SignedIn } from "../sign-ins/contract.ts";

export { SignedIn };

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

export type QrApi = {
  "POST /api/auth/qr/generate": { out: QrCreated };
  "GET /api/auth/qr/status/{session_id}": { out: QrStatus };
  "POST /api/auth/qr/approve": { in: Static<typeof QrApproval>; out: QrApproved };
  "POST /api/auth/qr/exchange": { in: QrExchange; out: SignedIn };
};
