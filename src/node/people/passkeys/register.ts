import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import { CHALLENGE_MS, type Challenge, openChallenge, takeChallenge } from "./challenges.ts";
import {
  fail,
  type NewChallenge,
  type NewCredential,
  type PasskeyCreated,
  type PasskeyRegistration,
} from "./contract.ts";
import { loadWebAuthn, withoutStatement } from "./library.ts";
import type { Own } from "./needs.ts";
import { readPasskeySupport } from "./relying-party.ts";
import { findByCredentialId, insertPasskey, listPasskeys } from "./store.ts";

const MAX_PASSKEYS = 50;

const parseTransports = (json: string): string[] => {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
};

// The library is loaded by those who use passkeys: its certificate parsers would cost every start time and memory.

/** Options for making a passkey that can be found without a user name. Throws `passkeys_unavailable`. */
export async function beginRegistration(
  own: Own,
  actor: Actor,
  request: Request,
  isHttps: boolean,
): Promise<NewChallenge> {
  const support = readPasskeySupport(own, request, isHttps);
  if (!support.enabled) throw fail("passkeys_unavailable", { reason: support.reason });
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: "Orrery",
    rpID: support.rp.rp_id,
    userID: new Uint8Array(Buffer.from(actor.user_id)),
    userName: actor.username,
    userDisplayName: actor.username,
    challenge: new Uint8Array(Buffer.from(own.ids.token(32), "base64url")),
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: listPasskeys(own.db, actor.user_id).map((row) => ({
      id: row.credential_id,
      transports: parseTransports(row.transports),
    })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" },
  });
  const challenge: Challenge = {
    ...support.rp,
    purpose: "register",
    user_id: actor.user_id,
    challenge: options.challenge,
  };
  return { session_id: openChallenge(own, challenge), options: { publicKey: { ...options } } };
}

/** The credential a browser made for the challenge. Throws `passkey_invalid`. */
async function verifyNew(challenge: Challenge, { id, rawId, type, response }: NewCredential) {
  const { clientDataJSON } = response;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const attestationObject = await withoutStatement(response.attestationObject).catch(() => null);
  if (attestationObject === null) throw fail("passkey_invalid");
  const outcome = await verifyRegistrationResponse({
    response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } },
    expectedChallenge: challenge.challenge,
    expectedOrigin: challenge.origin,
    expectedRPID: challenge.rp_id,
    requireUserVerification: false,
  }).catch(() => null);
  if (!outcome?.verified) throw fail("passkey_invalid");
  return outcome.registrationInfo.credential;
}

/**
 * Stores a new passkey. Throws `passkey_challenge_gone`, `passkey_invalid`, `passkey_known`, `passkey_limit`.
 */
export async function finishRegistration(
  own: Own,
  actor: Actor,
  input: PasskeyRegistration,
  ip: string,
): Promise<PasskeyCreated> {
  const challenge = takeChallenge(own, input.session_id, "register", actor.user_id);
  const credential = await verifyNew(challenge, input.credential);
  const row = {
    id: own.ids.next("pky"),
    user_id: actor.user_id,
    name: input.name.trim(),
    credential_id: credential.id,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: JSON.stringify(input.credential.response.transports ?? []),
    rp_id: challenge.rp_id,
    created_at: toIso(own.clock.now()),
  };
  own.db.tx(() => {
    if (findByCredentialId(own.db, row.credential_id)) throw fail("passkey_known");
    if (listPasskeys(own.db, actor.user_id).length >= MAX_PASSKEYS)
      throw fail("passkey_limit", { limit: MAX_PASSKEYS });
    insertPasskey(own.db, row);
    own.bus.emit("passkey.registered", { user_id: actor.user_id, passkey_id: row.id, name: row.name, ip });
  });
  return { id: row.id, name: row.name, created_at: row.created_at };
}
