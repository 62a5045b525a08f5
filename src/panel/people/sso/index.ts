/** Single sign-on: a workspace's own provider of OpenID Connect or SAML 2.0, the domains that are its own, and who comes in by it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createBodyIntake } from "../../../kernel/http/body-intake.ts";
import { hours } from "../../../lib/duration.ts";
import type { SystemTx, TenantDb } from "../../data/tenant-db.ts";
import { createBelief } from "./belief.ts";
import { checkDomains } from "./check-domains.ts";
import { removeAll } from "./connectors.ts";
import { fail } from "./contract.ts";
import { findOwnerOf, listVerified } from "./domain-store.ts";
import { ssoMeanings } from "./events.ts";
import { createFlows } from "./flows.ts";
import init from "./migrations/0001_sso.sql" with { type: "text" };
import saml from "./migrations/0002_saml.sql" with { type: "text" };
import certificateTold from "./migrations/0003_certificate_told.sql" with { type: "text" };
import subjects from "./migrations/0004_subjects.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { createProviders } from "./provider.ts";
import { createRefusals } from "./refusals.ts";
import { bindSsoRoutes } from "./routes.ts";
import { checkMetadata } from "./saml/fetch-metadata.ts";
import { createJudge } from "./saml/judge.ts";
import { createKeyMaker } from "./saml/key-maker.ts";
import { forgetAssertions } from "./saml/taken-store.ts";
import { watchCertificates } from "./saml/watch-certificates.ts";
import { deleteLinksOf } from "./store.ts";
import { createStrays } from "./strays.ts";
import { listMarks } from "./subject-store.ts";
import { createTurns } from "./turns.ts";

export { type Origin, panelOrigin } from "./addresses.ts";
export { domainOf } from "./identity.ts";
export { includesSso, REQUIRED_PLAN, requirePlan } from "./plan.ts";

/** Bytes of answers that one network may have on their way, and all of them. */
const ANSWERS = { each: 4 * 1024 * 1024, all: 16 * 1024 * 1024 };

export const ssoFeature = defineFeature({
  name: "sso",
  migrations: [init, saml, certificateTold, subjects],
  errors: fail.table,
  events: ssoMeanings,
});

export interface Sso extends Part {
  /** True for a domain, in small letters, that a workspace has proven to be its own. */
  ownsDomain(tx: SystemTx, tenantId: string, host: string): Promise<boolean>;
  /** The domains that the workspace has proven to be its own. */
  listDomains(db: TenantDb): Promise<string[]>;
}

export function createSso(needs: Needs): Sso {
  const refusals = createRefusals(needs.clock);
  const own: Own = {
    ...{ ...needs, flows: createFlows(needs.clock), providers: createProviders(needs), refusals },
    answers: createBodyIntake(needs.clock, ANSWERS),
    ...{
      judge: createJudge(needs.clock),
      keys: createKeyMaker(needs.clock),
      belief: createBelief(needs.clock),
      strays: createStrays(needs.clock),
      turns: createTurns(needs.clock),
    },
  };
  needs.lists.measures.add(() => [refusals.measure()]);
  needs.lists.ways.add(deleteLinksOf);
  needs.lists.marks.add(listMarks);
  needs.lists.domains.add(findOwnerOf);
  needs.lists.grants.add((tx, ousted) => removeAll(own, tx, ousted));
  return {
    feature: ssoFeature,
    ownsDomain: async (tx, tenantId, host) => (await findOwnerOf(tx, host)) === tenantId,
    listDomains: listVerified,
    routes: [bindSsoRoutes(own)],
    jobs: [
      { name: "sso.domains", everyMs: hours(1), run: (signal) => checkDomains(own, signal) },
      { name: "sso.metadata", everyMs: hours(1), run: () => checkMetadata(own) },
      { name: "sso.certificates", everyMs: hours(1), run: () => watchCertificates(own) },
      { name: "sso.assertions", everyMs: hours(1), run: () => forgetAssertions(own.system, own.clock.now()) },
    ],
  };
}
