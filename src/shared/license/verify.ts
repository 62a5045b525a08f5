import { days } from "../../lib/duration.ts";
import type { NodePlan } from "../plans/index.ts";
import { openClaims } from "../signed-claims/index.ts";
import { LicenseClaims } from "./claims.ts";

/** How long a plan outlives its license when the panel is away. */
const GRACE_MS = days(14);

/** A license that holds. Times in milliseconds. */
export interface License {
  id: string;
  tenantId: string;
  plan: NodePlan;
  issuedAt: number;
  expiresAt: number;
  /** True between its end and the end of its plan. */
  isInGrace: boolean;
}

/**
 * The license in `token`, when a key signed it that one of the roots in `caBundlePem` stands behind, and `nowMs` is before its
 * end or in the 14 days after it; else null. Certificates are judged by the time of signing: they may end before the license.
 */
export function verifyLicense(token: string, caBundlePem: string, nowMs: number): License | null {
  const claims = openClaims(token, caBundlePem, LicenseClaims, ({ iat }) => iat * 1000);
  if (!claims || nowMs >= claims.exp * 1000 + GRACE_MS) return null;
  return {
    id: claims.jti,
    tenantId: claims.sub,
    plan: claims.plan,
    issuedAt: claims.iat * 1000,
    expiresAt: claims.exp * 1000,
    isInGrace: nowMs >= claims.exp * 1000,
  };
}
