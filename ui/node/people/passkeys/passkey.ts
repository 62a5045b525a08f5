import { Problem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";
import type { PasskeyProof } from "../../client/routes.ts";

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
  return { session_id, credential: jsonOf(given) };
}

/** Makes a new passkey and registers it under this name. Throws Problem. */
export async function registerPasskey(name: string): Promise<{ id: string; name: string }> {
  const { session_id, options } = await api("POST /api/auth/passkeys/register/begin");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey);
  const made = await navigator.credentials.create({ publicKey }).catch(explain);
  return api("POST /api/auth/passkeys/register/finish", { body: { session_id, name, credential: jsonOf(made) } });
}

/** Whether the browser can offer passkeys in the autofill of a field. */
export async function canAutofill(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

function jsonOf(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new Problem(0, "passkey_cancelled", "No passkey was chosen.", {}, null);
}

function explain(error: unknown): never {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "InvalidStateError")
    throw new Problem(0, "passkey_known", "This device has a passkey for your account already.", {}, null);
  if (name === "NotAllowedError" || name === "AbortError")
    throw new Problem(0, "passkey_cancelled", "No passkey was chosen, or it took too long. Try again.", {}, null);
  throw new Problem(0, "passkey_failed", error instanceof Error ? error.message : String(error), {}, null);
}
