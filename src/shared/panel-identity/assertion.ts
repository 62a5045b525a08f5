import { jwtVerify, SignJWT } from "jose";
import { keyFor } from "./keys.ts";

/** Where codes are exchanged; also the audience of an assertion, because a panel has more than one address. */
export const TOKEN_PATH = "/api/oauth/token";

/** Where a node asks which visits of staff go on. */
export const VISITS_PATH = "/api/oauth/visits";

/** Long enough for a slow network, short enough that a stolen one is of no use. */
const ASSERTION_SECONDS = 60;
/** Clocks of nodes are not that good. */
const SKEW_SECONDS = 60;

/** What a node says to prove that it holds the secret, which itself never travels (RFC 7523, `client_secret_jwt`). */
export function signAssertion(
  secret: string,
  { nodeId, audience, now }: { nodeId: string; audience: string; now: number },
): Promise<string> {
  const issued = Math.floor(now / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(nodeId)
    .setSubject(nodeId)
    .setAudience(audience)
    .setIssuedAt(issued)
    .setExpirationTime(issued + ASSERTION_SECONDS)
    .sign(keyFor("assertion", secret));
}

/** True when the assertion is by that node, for that audience, and of this moment. */
export async function verifyAssertion(
  secret: string,
  assertion: string,
  { nodeId, audience, now }: { nodeId: string; audience: string; now: number },
): Promise<boolean> {
  try {
    await jwtVerify(assertion, keyFor("assertion", secret), {
      algorithms: ["HS256"],
      issuer: nodeId,
      subject: nodeId,
      audience,
      currentDate: new Date(now),
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: ASSERTION_SECONDS,
    });
    return true;
  } catch {
    return false;
  }
}
