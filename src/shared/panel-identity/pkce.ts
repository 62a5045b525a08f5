import { createHash } from "node:crypto";

/** What a code verifier may look like (RFC 7636, section 4.1). */
export const CODE_VERIFIER = "^[A-Za-z0-9._~-]{43,128}$";

/** The S256 challenge of a verifier. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
