import { toIso } from "../../../lib/clock.ts";
import type { NewChallenge } from "../../../shared/webauthn/contract.ts";
import { askForNew, verifyNew } from "../../../shared/webauthn/index.ts";
import type { Actor } from "../../actor.ts";
import { type Challenge, openChallenge, takeChallenge } from "./challenges.ts";
import { fail, type PasskeyCreated, type PasskeyRegistration } from "./contract.ts";
import type { Own } from "./needs.ts";
import { readSupport } from "./relying-party.ts";
import { findByCredentialId, insertPasskey, listPasskeys } from "./store.ts";

const MAX_PASSKEYS = 50;

/** Options for making a passkey that can be found without a user name. Throws `passkeys_unavailable`. */
export async function beginRegistration(
  own: Own,
  actor: Actor,
  request: Request,
  isHttps: boolean,
): Promise<NewChallenge> {
  const support = readSupport(own, request, isHttps);
  if (!support.enabled) throw fail("passkeys_unavailable", { reason: support.reason });
  const user = { id: actor.user_id, name: actor.username };
  const options = await askForNew(own.ids, support.rp, user, listPasskeys(own.db, actor.user_id), "required");
  const challenge: Challenge = {
    ...support.rp,
    purpose: "register",
    user_id: actor.user_id,
    challenge: options.challenge,
  };
  return {
    session_id: openChallenge(own, challenge, ["signed in", actor.user_id]),
    options: { publicKey: { ...options } },
  };
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
  if (!credential) throw fail("passkey_invalid");
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
    parent_device_id: actor.device_id,
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
