import { networksAround, type Peer } from "../../../kernel/http/peer.ts";
import { toIso } from "../../../lib/clock.ts";
import type { PasskeyProof, UseChallenge } from "../../../shared/webauthn/contract.ts";
import { askForProof, namesOwner, verifyUsed } from "../../../shared/webauthn/index.ts";
import type { Origin } from "../sessions/index.ts";
import type { SignIn } from "../sign-ins/index.ts";
import { type Challenge, openChallenge, takeChallenge } from "./challenges.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";
import { readSupport } from "./relying-party.ts";
import { advanceCounter, findByCredentialId } from "./store.ts";

/** Options for a sign-in in which the authenticator itself knows the account. Throws `passkeys_unavailable`. */
export async function beginPasskeySignIn(
  own: Own,
  request: Request,
  { ip, isHttps }: Pick<Peer, "ip" | "isHttps">,
): Promise<UseChallenge> {
  const support = readSupport(own, request, isHttps);
  if (!support.enabled) throw fail("passkeys_unavailable", { reason: support.reason });
  const options = await askForProof(own.ids, support.rp, [], "preferred");
  const challenge: Challenge = { ...support.rp, purpose: "sign-in", user_id: null, challenge: options.challenge };
  return {
    session_id: openChallenge(own, challenge, ["strangers", ...networksAround(ip)]),
    options: { publicKey: { ...options } },
  };
}

/** What a right answer of an authenticator proves. */
export interface Proven {
  user_id: string;
  /** Whether the authenticator checked its holder. */
  isVerified: boolean;
  /** The paired device that made the passkey: what is begun with it ends with that. */
  parent_device_id: string | null;
}

/**
 * Checks an authenticator's answer and tells whose passkey it is and whether the authenticator checked its holder.
 * Throws `passkey_challenge_gone`, `passkey_refused`; a counter that goes backwards is also announced.
 */
export async function provePasskey(own: Own, { session_id, credential }: PasskeyProof, ip: string): Promise<Proven> {
  const challenge = takeChallenge(own, session_id, "sign-in", null);
  const row = findByCredentialId(own.db, credential.id);
  if (!row) throw fail("passkey_refused");
  const info = namesOwner(credential.response.userHandle, row.user_id)
    ? await verifyUsed(challenge, row, credential)
    : null;
  if (!info) {
    const username = own.users.find(row.user_id)?.username ?? "";
    own.bus.emit("auth.sign_in_failed", { username, ip, method: "passkey" });
    throw fail("passkey_refused");
  }
  if (!advanceCounter(own.db, row.id, info.newCounter, toIso(own.clock.now()))) {
    const stored = findByCredentialId(own.db, credential.id)?.counter ?? row.counter;
    const { id: passkey_id, user_id } = row;
    own.bus.emit("passkey.counter_regressed", { user_id, passkey_id, stored, offered: info.newCounter, ip });
    throw fail("passkey_refused");
  }
  return { user_id: row.user_id, isVerified: info.userVerified, parent_device_id: row.parent_device_id };
}

/** Where a right passkey leads: into a session, or to the second factor when its holder was not verified. */
export type PasskeyOutcome =
  | { status: "signed_in"; done: SignIn }
  | { status: "totp_required"; user_id: string; temp_token: string };

/** Signs in with a passkey. Throws what `provePasskey` throws, and `unauthorized` for a disabled account. */
export async function signInWithPasskey(own: Own, proof: PasskeyProof, origin: Origin): Promise<PasskeyOutcome> {
  const { user_id, isVerified, parent_device_id } = await provePasskey(own, proof, origin.ip);
  if (!isVerified && own.totp.isOn(user_id)) {
    const isStillKnown = () => findByCredentialId(own.db, proof.credential.id) !== null;
    return { status: "totp_required", user_id, temp_token: own.totp.begin(user_id, isStillKnown, parent_device_id) };
  }
  return { status: "signed_in", done: own.signIns.finish(user_id, origin, "passkey", parent_device_id) };
}
