import { constantTimeEqual, sha256Hex } from "../../../lib/digest.ts";
import {
  challengeOf,
  IDENTITY_SECONDS,
  signIdentity,
  TOKEN_PATH,
  verifyAssertion,
} from "../../../shared/panel-identity/index.ts";
import { fail, type TokenInput, type TokenOutput } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { findCode, takeCode } from "./store.ts";
import { identityOf } from "./visits.ts";

/**
 * Gives a code's identity to the node it was made for, once. A code whose node cannot prove itself stays as it was; one that
 * is wrong in anything else is used up. Throws `invalid_client`, `invalid_grant`, `sign_in_role` for staff whose permit ended meanwhile.
 */
export async function exchangeCode(needs: Needs, ip: string, input: TokenInput): Promise<TokenOutput> {
  const { system, clock, log } = needs;
  const now = clock.now();
  const found = await findCode(system, sha256Hex(input.code));
  if (!found || found.node_id !== input.client_id) throw fail("invalid_grant");
  const secret = await needs.nodes.secretOf(found.tenant_id, found.node_id);
  const proof = { nodeId: input.client_id, audience: TOKEN_PATH, now };
  if (secret === null || !(await verifyAssertion(secret, input.client_assertion, proof))) throw fail("invalid_client");
  const code = await takeCode(system, found.tenant_id, found.hash, now);
  if (!code) {
    // Somebody has seen a code that was meant for the node alone.
    if (found.used_at !== null) log.warn("a sign-in code was used twice", { node_id: found.node_id, ip });
    throw fail("invalid_grant");
  }
  const isSame =
    constantTimeEqual(code.redirect_uri, input.redirect_uri) &&
    constantTimeEqual(code.code_challenge, challengeOf(input.code_verifier));
  if (!isSame || code.expires_at <= now) throw fail("invalid_grant");
  const member = await needs.tenants.findMembership(code.tenant_id, code.member_id);
  if (member?.member_status !== "active" || member.tenant_status !== "active") throw fail("invalid_grant");
  const identity = await identityOf(needs, member);
  return {
    access_token: await signIdentity(secret, code.node_id, identity, now),
    token_type: "bearer",
    expires_in: IDENTITY_SECONDS,
  };
}
