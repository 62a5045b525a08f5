import type { PasskeyProof } from "../../../../src/shared/webauthn/contract.ts";
import { useCredential } from "../../../client/webauthn.ts";
import { api } from "../../client/api.ts";

/**
 * Lets the user prove a passkey. `conditional` offers it inside the autofill of a field and waits there until the signal ends it.
 * Throws Problem; code `passkey_cancelled` when nothing was chosen.
 */
export async function provePasskey(how: { signal: AbortSignal; conditional?: boolean }): Promise<PasskeyProof> {
  const { session_id, options } = await api("POST /api/auth/passkeys/login/begin", { anonymous: true });
  return { session_id, credential: await useCredential(options.publicKey, how) };
}
