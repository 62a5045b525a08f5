import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { startPath } from "./addresses.ts";
import { fail, type TestReport } from "./contract.ts";
import { type Answer, examine, explainFailure } from "./diagnose.ts";
import { listProven } from "./domain-store.ts";
import type { Flow, Tester } from "./flows.ts";
import { pickRole, readIdentity } from "./identity.ts";
import type { Own } from "./needs.ts";
import { requirePlan } from "./plan.ts";
import { type Heard, ProviderFailure } from "./provider.ts";
import { type ConnectorRow, findConnector, updateConnector } from "./store.ts";

/** Gives the address at which the caller's browser begins a test. Throws `connector_not_found`, `upgrade_required`. */
export async function beginTest(own: Own, actor: Actor, id: string): Promise<{ url: string }> {
  const { tenant_id, member_id, account_id } = actor;
  await own.system.tx(async (tx) => {
    if (!(await findConnector(tx, tenant_id, id))) throw fail("connector_not_found", { id });
    requirePlan(await own.tenants.findPlan(tenant_id, tx));
  });
  const token = own.ids.token(32);
  own.flows.tests.set(token, { tenant_id, member_id, account_id, connector_id: id });
  return { url: `${startPath(id)}?test=${token}` };
}

/** How far it came. */
function stepsOf({ failure, heard }: Answer, hasComeBack: boolean, isRight: boolean): TestReport["steps"] {
  const saidNo = failure?.kind === "refused" && heard.answered_ms === null;
  return {
    answered: failure?.kind !== "unreachable",
    signed_in: hasComeBack ? !saidNo : null,
    came_back: hasComeBack && !saidNo ? failure === null : null,
    let_in: failure === null ? isRight : null,
  };
}

/** What a test found, in words. */
function report(answer: Answer, hasComeBack: boolean): TestReport {
  const { failure, heard } = answer;
  const findings = examine(answer);
  const wrong = findings.find(({ mark }) => mark === "bad");
  const told = failure === null ? null : explainFailure(answer, failure);
  const role = pickRole(
    answer.connector,
    readIdentity(heard.claims ?? {}, { issuer: "", role_claim: answer.connector.role_claim })?.groups ?? [],
  );
  const isRight = failure === null && wrong === undefined;
  return {
    at: toIso(answer.now),
    ok: isRight,
    headline: told?.reason ?? wrong?.headline ?? "Everything that is needed is there",
    advice: told?.advice ?? wrong?.advice ?? "Nobody was signed in. Members can come in this way once it is on.",
    steps: stepsOf(answer, hasComeBack, isRight),
    rows: findings.map(({ what, sent, needed, note, mark }) => ({ what, sent, needed, note, mark })),
    role: isRight ? role : null,
  };
}

/** Keeps what a test of somebody found. One that went well is good for the connector as it was when it began. */
export async function finishTest(
  own: Own,
  ip: string,
  { id, tenant_id }: Pick<ConnectorRow, "id" | "tenant_id">,
  flow: Flow,
  tester: Tester,
  outcome: Heard | ProviderFailure,
  hasComeBack: boolean,
): Promise<void> {
  const failure = outcome instanceof ProviderFailure ? outcome : null;
  const heard = outcome instanceof ProviderFailure ? outcome.heard : outcome;
  await own.system.tx(async (tx) => {
    await own.tenants.lockMembers(tx, tenant_id);
    const connector = await findConnector(tx, tenant_id, id);
    if (!connector || connector.version !== flow.version) return;
    const domains = await listProven(tx, tenant_id);
    const now = own.clock.now();
    const found = report({ connector, nonce: flow.nonce, heard, failure, domains, now }, hasComeBack);
    const tested_version = found.ok ? connector.version : connector.tested_version;
    await updateConnector(tx, { ...connector, tested_version, last_test: JSON.stringify(found) });
    await own.bus.emit(tx, "sso.test", {
      ...{ by: byMember(tester, ip), connector_id: id, name: connector.name, ok: found.ok, result: found.headline },
    });
  });
}
