import type { NewCredential, UsedCredential } from "./contract.ts";
import { loadWebAuthn, withoutStatement } from "./library.ts";
import type { RelyingParty } from "./relying-party.ts";

/** What an authenticator was asked, and for whom. */
export interface Asked extends RelyingParty {
  /** base64url. */
  challenge: string;
}

/** The credential that a browser made for the challenge; null when its answer does not fit. */
export async function verifyNew(asked: Asked, { id, rawId, type, response }: NewCredential) {
  const { clientDataJSON } = response;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const attestationObject = await withoutStatement(response.attestationObject).catch(() => null);
  if (attestationObject === null) return null;
  const outcome = await verifyRegistrationResponse({
    response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } },
    expectedChallenge: asked.challenge,
    expectedOrigin: asked.origin,
    expectedRPID: asked.rp_id,
    requireUserVerification: false,
  }).catch(() => null);
  return outcome?.verified ? outcome.registrationInfo.credential : null;
}

/** What an authenticator says with a good signature; null without one. The counter is still to be judged, in one step with storing it. */
export async function verifyUsed(
  asked: Asked,
  row: { credential_id: string; public_key: Uint8Array<ArrayBuffer> },
  { id, rawId, type, response }: UsedCredential,
): Promise<{ newCounter: number; userVerified: boolean } | null> {
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
    expectedChallenge: asked.challenge,
    expectedOrigin: asked.origin,
    expectedRPID: asked.rp_id,
    credential: { id: row.credential_id, publicKey: row.public_key, counter: 0 },
    requireUserVerification: false,
  }).catch(() => null);
  return outcome?.verified ? outcome.authenticationInfo : null;
}

/** True when the authenticator names nobody, or the credential's owner. */
export function namesOwner(handle: string | null | undefined, ownerId: string): boolean {
  return !handle || handle === Buffer.from(ownerId).toString("base64url");
}
