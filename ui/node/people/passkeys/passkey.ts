import type { NewCredential, PasskeyProof, UsedCredential } from "../../../../src/node/people/passkeys/contract.ts";
import { isRecord, Problem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";

/** True when this browser can use passkeys at all. */
export function hasPasskeys(): boolean {
  return window.isSecureContext && typeof PublicKeyCredential !== "undefined";
}

/**
 * Lets the user prove a passkey. `conditional` offers it inside the autofill of a field and waits there until the signal ends it.
 * Throws Problem; code `passkey_cancelled` when nothing was chosen.
 */
export async function provePasskey(options: { signal: AbortSignal; conditional?: boolean }): Promise<PasskeyProof> {
  const { session_id, options: asked } = await api("POST /api/auth/passkeys/login/begin", { anonymous: true });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.publicKey);
  const mediation = options.conditional === true ? "conditional" : "optional";
  const given = await navigator.credentials.get({ publicKey, mediation, signal: options.signal }).catch(explain);
  return { session_id, credential: jsonOf(given, isUsed) };
}

/** Makes a new passkey and registers it under this name. Throws Problem. */
export async function registerPasskey(name: string): Promise<{ id: string; name: string }> {
  const { session_id, options } = await api("POST /api/auth/passkeys/register/begin");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey);
  const made = await navigator.credentials.create({ publicKey }).catch(explain);
  return api("POST /api/auth/passkeys/register/finish", {
    body: { session_id, name, credential: jsonOf(made, isNew) },
  });
}

/** Whether the browser can offer passkeys in the autofill of a field. */
export async function canAutofill(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/** What a browser tells of a credential, of which only the kind is looked at: all the rest is for the server to check. */
function jsonOf<Kind>(credential: Credential | null, isKind: (json: unknown) => json is Kind): Kind {
  const json: unknown = credential instanceof PublicKeyCredential ? credential.toJSON() : null;
  if (isKind(json)) return json;
  throw new Problem(0, "passkey_cancelled", "No passkey was chosen.", {}, null);
}

const isUsed = (json: unknown): json is UsedCredential => hasInResponse(json, "signature");
const isNew = (json: unknown): json is NewCredential => hasInResponse(json, "attestationObject");

function hasInResponse(json: unknown, name: string): boolean {
  return isRecord(json) && isRecord(json["response"]) && typeof json["response"][name] === "string";
}

function explain(error: unknown): never {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "InvalidStateError")
    throw new Problem(0, "passkey_known", "This device has a passkey for your account already.", {}, null);
  if (name === "NotAllowedError" || name === "AbortError")
    throw new Problem(0, "passkey_cancelled", "No passkey was chosen, or it took too long. Try again.", {}, null);
  throw new Problem(0, "passkey_failed", error instanceof Error ? error.message : String(error), {}, null);
}
