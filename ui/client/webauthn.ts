import type { NewChallenge, NewCredential, UseChallenge, UsedCredential } from "../../src/shared/webauthn/contract.ts";
import { isRecord, Problem } from "./problem.ts";

/** True when this browser can use passkeys and security keys at this address; they need a host name. */
export function hasPasskeys(): boolean {
  const isBareAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return window.isSecureContext && !isBareAddress && typeof PublicKeyCredential !== "undefined";
}

/** Whether the browser can offer passkeys in the autofill of a field. */
export async function canAutofill(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/**
 * Lets the user answer the question with a passkey or key. `conditional` offers it inside the autofill of a field and waits there
 * until the signal ends it. Throws Problem; code `passkey_cancelled` when nothing was chosen.
 */
export async function useCredential(
  asked: UseChallenge["options"]["publicKey"],
  options: { signal?: AbortSignal; conditional?: boolean } = {},
): Promise<UsedCredential> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
  const mediation = options.conditional === true ? "conditional" : "optional";
  const { signal } = options;
  const given = await navigator.credentials
    .get({ publicKey, mediation, ...(signal === undefined ? {} : { signal }) })
    .catch(explain);
  return jsonOf(given, isUsed);
}

/** Makes a new credential. Throws Problem. */
export async function makeCredential(asked: NewChallenge["options"]["publicKey"]): Promise<NewCredential> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
  return jsonOf(await navigator.credentials.create({ publicKey }).catch(explain), isNew);
}

/** What a new credential of this device may be called. */
export function suggestName(): string {
  const system = /(iPhone|iPad|Android|Mac|Windows|Linux)/.exec(navigator.userAgent)?.[1];
  return system === undefined ? "My device" : `My ${system} device`;
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
