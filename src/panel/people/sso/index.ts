/** Single sign-on: a workspace's own provider of OpenID Connect, the domains that are its own, and who comes in by it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import type { SystemTx, TenantDb } from "../../data/tenant-db.ts";
import { fail } from "./contract.ts";
import { findOwnerOf, listVerified } from "./domain-store.ts";
import { checkDomains } from "./domains.ts";
import { ssoMeanings } from "./events.ts";
import { createFlows } from "./flows.ts";
import init from "./migrations/0001_sso.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { createProviders } from "./provider.ts";
import { createRefusals } from "./refusals.ts";
import { bindSsoRoutes } from "./routes.ts";

export { type Origin, panelOrigin } from "./addresses.ts";
export { includesSso, REQUIRED_PLAN, requirePlan } from "./plan.ts";

export const ssoFeature = defineFeature({ name: "sso", migrations: [init], errors: fail.table, events: ssoMeanings });

export interface Sso extends Part {
  /** True for a domain, in small letters, that a workspace has proven to be its own. */
  ownsDomain(tx: SystemTx, tenantId: string, host: string): Promise<boolean>;
  /** The domains that the workspace has proven to be its own. */
  listDomains(db: TenantDb): Promise<string[]>;
}

export function createSso(needs: Needs): Sso {
  const refusals = createRefusals(needs.clock);
  const own: Own = { ...needs, flows: createFlows(needs.clock), providers: createProviders(needs), refusals };
  needs.lists.measures.add(() => [refusals.measure()]);
  return {
    feature: ssoFeature,
    ownsDomain: async (tx, tenantId, host) => (await findOwnerOf(tx, host)) === tenantId,
    listDomains: listVerified,
    routes: [bindSsoRoutes(own)],
    jobs: [{ name: "sso.domains", everyMs: hours(1), run: () => checkDomains(own) }],
  };
}
