import { sha256Hex } from "../../../lib/digest.ts";
import { days, seconds } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { LICENSE_ISSUER, signLicense } from "../../../shared/license/index.ts";
import { nodePlanOf, planOf } from "../../plans.ts";
import type { Needs } from "./needs.ts";
import type { Signing } from "./signing.ts";

const LIFETIME_MS = days(30);
/** A node takes a newer license of the same plan this often. */
const ISSUE_EVERY_MS = days(7);
/** How soon nodes learn of another plan, apart from the time between heartbeats. */
const PLAN_AGE_MS = seconds(2);
const MAX_WORKSPACES = 20_000;

/** A signed license and its name. */
export interface SignedLicense {
  id: string;
  token: string;
}

/** Gives the present license of a workspace. */
export interface Licenses {
  of(tenantId: string): Promise<SignedLicense>;
}

/** Licenses signed by keys of the authority; each is made once and kept while nothing changes. */
export function createLicenses({ tenants, clock }: Pick<Needs, "tenants" | "clock">, signing: Signing): Licenses {
  const plans = createExpiringMap<string>(clock, MAX_WORKSPACES);
  const made = createExpiringMap<SignedLicense>(clock, MAX_WORKSPACES);

  /** Heartbeats of one workspace ask the database once in a while, not each. */
  async function findFreshPlan(tenantId: string): Promise<string> {
    const known = plans.get(tenantId);
    if (known !== null) return known;
    const found = (await tenants.findPlan(tenantId)) ?? "free";
    plans.set(tenantId, found, PLAN_AGE_MS);
    return found;
  }

  return {
    async of(tenantId) {
      const plan = nodePlanOf(planOf(await findFreshPlan(tenantId)));
      const now = clock.now();
      const source = `${tenantId} ${plan} ${signing.slot()} ${Math.floor(now / ISSUE_EVERY_MS)}`;
      const known = made.get(source);
      if (known) return known;
      // The same after a restart, so that a fleet is not sent its licenses again.
      const id = sha256Hex(source).slice(0, 32);
      const iat = Math.floor(now / 1000);
      const claims = { iss: LICENSE_ISSUER, sub: tenantId, plan, iat, exp: iat + LIFETIME_MS / 1000, jti: id } as const;
      const license = { id, token: signLicense(claims, signing.signer()) };
      made.set(source, license, ISSUE_EVERY_MS);
      return license;
    },
  };
}
