import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { startPath } from "./addresses.ts";
import { fail, type TestReport } from "./contract.ts";
import { examine, explainFailure, type Finding } from "./diagnose.ts";
import { listProven } from "./domain-store.ts";
import type { Flow, Tester } from "./flows.ts";
import { pickRole, readIdentity } from "./identity.ts";
import type { Own } from "./needs.ts";
import { requirePlan } from "./plan.ts";
import { type Heard, ProviderFailure } from "./provider.ts";
import { isComplete, readSettings } from "./saml/settings.ts";
import { type ConnectorRow, findConnector, updateConnector } from "./store.ts";

/**
 * Gives the address at which the caller's browser begins a test. Throws `connector_not_found`, `connector_incomplete`, `upgrade_required`.
 */
export async function beginTest(own: Own, actor: Actor, id: string): Promise<{ url: string }> {
  const { tenant_id, member_id, account_id } = actor;
  await own.system.by(actor).tx(async (tx) => {
    const connector = await findConnector(tx, tenant_id, id);
    if (!connector) throw fail("connector_not_found", { id });
    requirePlan(await own.tenants.findPlan(tenant_id, tx));
    if (connector.kind === "saml" && !isComplete(readSettings(connector.saml), connector.issuer))
      throw fail("connector_incomplete");
  });
  const token = own.ids.token(32);
  own.flows.tests.set(token, { tenant_id, member_id, account_id, connector_id: id }, [tenant_id]);
  return { url: `${startPath(id)}?test=${token}` };
}

/** What a test found, as far as the protocols differ. */
export interface Found {
  findings: readonly Finding[];
  /** What is wrong with the answer as such, before anybody looks at who it is about; null for nothing. */
  told: { reason: string; advice: string } | null;
  steps: Pick<TestReport["steps"], "answered" | "signed_in" | "came_back">;
  groups: readonly string[];
}

/** Looks at what was heard, against the connector and its workspace's domains as they are now. */
export type Look = (connector: ConnectorRow, domains: readonly string[], now: number) => Found;

/** What came of asking a provider of OpenID Connect. */
export function lookAtOidc(flow: Flow, outcome: Heard | ProviderFailure, hasComeBack: boolean): Look {
  const failure = outcome instanceof ProviderFailure ? outcome : null;
  const heard = outcome instanceof ProviderFailure ? outcome.heard : outcome;
  const saidNo = failure?.kind === "refused" && heard.answered_ms === null;
  const steps = {
    answered: failure?.kind !== "unreachable",
    signed_in: hasComeBack ? !saidNo : null,
    came_back: hasComeBack && !saidNo ? failure === null : null,
  };
  return (connector, domains, now) => {
    const answer = { connector, nonce: flow.nonce, heard, failure, domains, now };
    const told = failure === null ? null : explainFailure(answer, failure);
    const { role_claim } = connector;
    const groups = readIdentity(heard.claims ?? {}, { issuer: "", role_claim })?.groups ?? [];
    return { findings: examine(answer), told, steps, groups };
  };
}

/** What a test found, in words. */
function report(connector: ConnectorRow, { findings, told, steps, groups }: Found, now: number): TestReport {
  const wrong = findings.find(({ mark }) => mark === "bad");
  const isRight = told === null && wrong === undefined;
  return {
    at: toIso(now),
    ok: isRight,
    headline: told?.reason ?? wrong?.headline ?? "Everything that is needed is there",
    advice: told?.advice ?? wrong?.advice ?? "Nobody was signed in. Members can come in this way once it is on.",
    steps: { ...steps, let_in: told === null ? isRight : null },
    rows: findings.map(({ what, sent, needed, note, mark }) => ({ what, sent, needed, note, mark })),
    role: isRight ? pickRole(connector, groups) : null,
  };
}

/** Keeps what a test of somebody found. One that went well is good for the connector as it was when it began. */
export async function finishTest(
  own: Own,
  ip: string,
  { id, tenant_id }: Pick<ConnectorRow, "id" | "tenant_id">,
  flow: Flow,
  tester: Tester,
  look: Look,
): Promise<void> {
  await own.system.tx(async (tx) => {
    await own.tenants.lockMembers(tx, tenant_id);
    const connector = await findConnector(tx, tenant_id, id);
    if (!connector || connector.version !== flow.version) return;
    const domains = await listProven(tx, tenant_id);
    const now = own.clock.now();
    const found = report(connector, look(connector, domains, now), now);
    const tested_version = found.ok ? connector.version : connector.tested_version;
    await updateConnector(tx, { ...connector, tested_version, last_test: JSON.stringify(found) });
    await own.bus.emit(tx, "sso.test", {
      ...{ by: byMember(tester, ip), connector_id: id, name: connector.name, ok: found.ok, result: found.headline },
    });
  });
}
