import { AppError } from "../../../kernel/http/errors.ts";
import { networksAround } from "../../../kernel/http/peer.ts";
import { toIso } from "../../../lib/clock.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { Origin } from "../sessions/index.ts";
import type { SignIn } from "../sign-ins/index.ts";
import { fail, type QrApproved, type QrCreated, type QrExchange, type QrState } from "./contract.ts";
import type { Own, QrSession } from "./needs.ts";

export const QR_MS = minutes(5);
export const EXCHANGE_MS = seconds(60);
/** Ended sessions answer 410 a little longer before they are forgotten. */
export const REMEMBER_MS = minutes(15);

type Reading = Pick<Own, "clock" | "codes">;

// Compared with when the id is unknown, so that the answer comes from the same work.
const NO_SECRET = "there is no session with this secret";

function stateOf({ clock }: Pick<Own, "clock">, session: QrSession): QrState {
  if (session.state === "consumed") return "consumed";
  return clock.monotonic() >= session.end || !session.holds() ? "expired" : session.state;
}

/** Starts a QR sign-in for the screen that will show it. */
export function generateQr({ clock, ids, codes }: Reading & Pick<Own, "ids">, { device, ip }: Origin): QrCreated {
  const session_id = `qrs_${ids.token(18)}`;
  const secret = ids.token(32);
  const end = clock.monotonic() + QR_MS;
  codes.set(
    session_id,
    { session_id, secret, end, state: "pending", user_id: null, device_id: null, holds: () => true, device },
    networksAround(ip),
  );
  return { session_id, secret, expires_at: toIso(clock.now() + QR_MS) };
}

/** Where a QR sign-in stands; never anything to sign in with. Throws `qr_not_found`. */
export function readQrStatus(own: Reading, id: string): { status: QrState } {
  const session = own.codes.get(id);
  if (!session) throw fail("qr_not_found");
  return { status: stateOf(own, session) };
}

/**
 * Lets the screen with this code in as the actor; it then has 60 s. Throws `qr_not_found`, `qr_closed`, `qr_expired`.
 */
export function approveQr(own: Own, actor: Actor, id: string, ip: string): QrApproved {
  const session = own.codes.get(id);
  if (!session) throw fail("qr_not_found");
  const state = stateOf(own, session);
  if (state === "expired") throw fail("qr_expired");
  if (state !== "pending") throw fail("qr_closed");
  // On record first: nobody is let in by what could not be written down.
  own.db.record(() => own.bus.emit("qr.approved", { user_id: actor.user_id, ip, device: session.device }));
  session.state = "approved";
  session.user_id = actor.user_id;
  session.device_id = actor.device_id;
  session.holds = own.pairedDevices.underThisAccess(actor);
  session.end = Math.min(session.end, own.clock.monotonic() + EXCHANGE_MS);
  return { status: "approved", message: "The other screen is signed in as you." };
}

/**
 * Trades the secret of an approved QR sign-in for a session, once. Throws `qr_invalid` (unknown, wrong or used alike),
 * `qr_pending` (it stays usable), `qr_expired`.
 */
export function exchangeQr(own: Own, input: QrExchange, origin: Origin): SignIn {
  const session = own.codes.get(input.session_id);
  const matches = constantTimeEqual(session?.secret ?? NO_SECRET, input.secret);
  if (!session || !matches || session.state === "consumed") throw fail("qr_invalid");
  const state = stateOf(own, session);
  if (state === "expired") throw fail("qr_expired");
  if (state === "pending" || session.user_id === null) throw fail("qr_pending");
  session.state = "consumed";
  try {
    return own.signIns.finish(session.user_id, origin, "qr", session.device_id);
  } catch (error) {
    // What could not be stored has used nothing up; an account that may not sign in any more has.
    if (!(error instanceof AppError)) session.state = "approved";
    throw error;
  }
}
