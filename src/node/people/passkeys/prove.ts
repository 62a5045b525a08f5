import { toIso } from "../../../lib/clock.ts";
import type { NodeContext } from "../../context.ts";
import type { Origin } from "../sessions/index.ts";
import { finishSignIn, type SignIn } from "../sign-ins/index.ts";
import { isTotpOn } from "../totp/index.ts";
import { findUser } from "../users/index.ts";
import { CHALLENGE_MS, type Challenge, openChallenge, takeChallenge } from "./challenges.ts";
import { fail, type PasskeyChallenge, type PasskeyProof, type UsedCredential } from "./contract.ts";
import { loadWebAuthn } from "./library.ts";
import type { PasskeyDeps } from "./register.ts";
import { readPasskeySupport } from "./relying-party.ts";
import { advanceCounter, findByCredentialId, type PasskeyRow } from "./store.ts";

/** Options for a sign-in in which the authenticator itself knows the account. Throws `passkeys_unavailable`. */
export async function beginPasskeySignIn(
  deps: PasskeyDeps,
  request: Request,
  isHttps: boolean,
): Promise<PasskeyChallenge> {
  const support = readPasskeySupport(deps, request, isHttps);
  if (!support.enabled) throw fail("passkeys_unavailable", { reason: support.reason });
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: support.rp.rp_id,
    challenge: new Uint8Array(Buffer.from(deps.ids.token(32), "base64url")),
    timeout: CHALLENGE_MS,
    userVerification: "preferred",
    allowCredentials: [],
  });
  const challenge: Challenge = { ...support.rp, purpose: "sign-in", user_id: null, challenge: options.challenge };
  return { session_id: openChallenge(deps, challenge), options: { publicKey: { ...options } } };
}

async function verifyUsed(challenge: Challenge, row: PasskeyRow, { id, rawId, type, response }: UsedCredential) {
  const { clientDataJSON, authenticatorData, signature } = response;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const outcome = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: challenge.challenge,
    expectedOrigin: challenge.origin,
    expectedRPID: challenge.rp_id,
    // The counter is judged by `advanceCounter`, in one step with storing it.
    credential: { id: row.credential_id, publicKey: row.public_key, counter: 0 },
    requireUserVerification: false,
  }).catch(() => null);
  return outcome?.verified ? outcome.authenticationInfo : null;
}

/** True when the authenticator names nobody, or the passkey's owner. */
function namesOwner(handle: string | null | undefined, userId: string): boolean {
  return !handle || handle === Buffer.from(userId).toString("base64url");
}

/**
 * Checks an authenticator's answer and tells whose passkey it is and whether the authenticator checked its holder.
 * Throws `passkey_challenge_gone`, `passkey_refused`; a counter that goes backwards is also announced.
 */
export async function provePasskey(
  deps: Pick<NodeContext, "db" | "clock" | "bus" | "challenges">,
  { session_id, credential }: PasskeyProof,
  ip: string,
): Promise<{ user_id: string; isVerified: boolean }> {
  const challenge = takeChallenge(deps, session_id, "sign-in", null);
  const row = findByCredentialId(deps.db, credential.id);
  if (!row) throw fail("passkey_refused");
  const info = namesOwner(credential.response.userHandle, row.user_id)
    ? await verifyUsed(challenge, row, credential)
    : null;
  if (!info) {
    const username = findUser(deps.db, row.user_id)?.username ?? "";
    deps.bus.emit("auth.sign_in_failed", { username, ip, method: "passkey" });
    throw fail("passkey_refused");
  }
  if (!advanceCounter(deps.db, row.id, info.newCounter, toIso(deps.clock.now()))) {
    const stored = findByCredentialId(deps.db, credential.id)?.counter ?? row.counter;
    const { id: passkey_id, user_id } = row;
    deps.bus.emit("passkey.counter_regressed", { user_id, passkey_id, stored, offered: info.newCounter, ip });
    throw fail("passkey_refused");
  }
  return { user_id: row.user_id, isVerified: info.userVerified };
}

/** Where a right passkey leads: into a session, or to the second factor when its holder was not verified. */
export type PasskeyOutcome =
  | { status: "signed_in"; done: SignIn }
  | { status: "totp_required"; user_id: string; temp_token: string };

/** Signs in with a passkey. Throws what `provePasskey` throws, and `unauthorized` for a disabled account. */
export async function signInWithPasskey(
  deps: PasskeyDeps,
  proof: PasskeyProof,
  origin: Origin,
): Promise<PasskeyOutcome> {
  const { user_id, isVerified } = await provePasskey(deps, proof, origin.ip);
  if (!isVerified && isTotpOn(deps, user_id)) {
    const isStillKnown = () => findByCredentialId(deps.db, proof.credential.id) !== null;
    return { status: "totp_required", user_id, temp_token: deps.pendingLogins.begin(user_id, isStillKnown) };
  }
  return { status: "signed_in", done: finishSignIn(deps, user_id, origin, "passkey") };
}
