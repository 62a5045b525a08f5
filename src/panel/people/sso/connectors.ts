import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import { holds } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { Ousted } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { type Origin, panelOrigin, redirectUri, startPath } from "./addresses.ts";
import { believesMore, type Choices, changesOf, choose, isAnother, needsKey, rowOf } from "./choices.ts";
import { type Connector, type ConnectorInput, type ConnectorList, type ConnectorState, fail } from "./contract.ts";
import { countDomains } from "./domain-store.ts";
import { readRules } from "./identity.ts";
import type { Own } from "./needs.ts";
import { includesSso, REQUIRED_PLAN, requirePlan } from "./plan.ts";
import { readReport } from "./report.ts";
import type { OwnKey } from "./saml/own-key.ts";
import { presentSaml } from "./saml/settings.ts";
import * as store from "./store.ts";

const MAX_CONNECTORS = 1;
const THROUGH_MS = hours(1);

/** A connector as the API shows it. */
function present(own: Own, actor: Actor, origin: Origin, row: store.ConnectorRow, members: number): Connector {
  const mayWrite = holds(actor.role, "settings:write");
  const address = panelOrigin(own.config, origin);
  const saml = presentSaml(row, address, own.clock.now());
  return {
    kind: row.kind,
    id: row.id,
    name: row.name,
    issuer: row.issuer,
    oidc_client: saml === null ? row.oidc_client : null,
    saml,
    has_secret: saml === null && row.sealed_secret !== null,
    role_claim: row.role_claim,
    role_rules: readRules(row.role_rules),
    default_role: row.default_role,
    state: row.state,
    tested: row.tested_version === row.version,
    last_test: mayWrite ? readReport(row.last_test) : null,
    redirect_uri: saml?.acs_url ?? redirectUri(address, row.id),
    start_url: `${address}${startPath(row.id)}`,
    members,
    updated_at: toIso(row.updated_at),
  };
}

/** The connectors of the caller's workspace. */
export async function listOwn(own: Own, actor: Actor, origin: Origin): Promise<ConnectorList> {
  const rows = await store.listConnectors(actor.db);
  const owners = holds(actor.role, "settings:write") ? await store.listOwners(actor.db) : [];
  const plan = await own.tenants.findPlan(actor.tenant_id);
  return {
    items: rows.map((row) => present(own, actor, origin, row, row.members)),
    ...(includesSso(plan) ? {} : { required_plan: REQUIRED_PLAN }),
    owners: owners.map((owner) => ({ ...owner, has_factor: owner.has_factor === 1 })),
  };
}

/** One change of a workspace's sign-in at a time, by somebody who proved lately who they are. Throws `step_up_required`. */
function change<T>(own: Own, actor: Actor, run: (tx: SystemTx) => Promise<T>): Promise<T> {
  return own.system.by(actor).tx(async (tx) => {
    await own.tenants.lockMembers(tx, actor.tenant_id);
    await own.factors.requireFreshProof(tx, actor);
    return run(tx);
  });
}

async function requireOwn(tx: SystemTx, { tenant_id }: Actor, id: string): Promise<store.ConnectorRow> {
  const row = await store.findConnector(tx, tenant_id, id);
  if (!row) throw fail("connector_not_found", { id });
  return row;
}

/** The whole of one, after it was changed. */
async function shown(own: Own, actor: Actor, origin: Origin, id: string): Promise<Connector> {
  const row = (await store.listConnectors(actor.db)).find((each) => each.id === id);
  if (!row) throw fail("connector_not_found", { id });
  return present(own, actor, origin, row, row.members);
}

/** A key for what was chosen, where it needs one; made only once `require` has said that all else is as it has to be. */
async function keyFor(
  own: Own,
  actor: Actor,
  { request }: Origin,
  isNeeded: boolean,
  require: (tx: SystemTx) => Promise<unknown>,
): Promise<OwnKey | null> {
  if (!isNeeded) return null;
  await change(own, actor, require);
  return own.keys.make({ tenant_id: actor.tenant_id, left: request.signal });
}

/** Throws `upgrade_required`, `connector_limit`. */
async function requireRoom(own: Own, tx: SystemTx, { tenant_id }: Actor): Promise<void> {
  requirePlan(await own.tenants.findPlan(tenant_id, tx));
  if ((await store.countConnectors(tx, tenant_id)) >= MAX_CONNECTORS) throw fail("connector_limit");
}

/**
 * Adds a connector, turned off. Throws `upgrade_required`, `connector_limit`, `step_up_required`, `too_many_requests` and what `choose`
 * throws.
 */
export async function addConnector(own: Own, actor: Actor, ip: string, origin: Origin, input: ConnectorInput) {
  const choices = choose(own, input);
  const id = own.ids.next("sso");
  const key = await keyFor(own, actor, origin, needsKey(choices, null), (tx) => requireRoom(own, tx, actor));
  await change(own, actor, async (tx) => {
    await requireRoom(own, tx, actor);
    await store.insertConnector(tx, {
      ...rowOf(own, id, choices, key, null),
      ...{ tenant_id: actor.tenant_id, id, state: "off", version: 1, tested_version: 0, last_test: null },
      updated_at: own.clock.now(),
    });
    const { name, issuer } = input;
    await own.bus.emit(tx, "sso.connector_add", { by: byMember(actor, ip), connector_id: id, name, issuer });
  });
  return shown(own, actor, origin, id);
}

/**
 * A connector as it is and as it is to be. Throws `connector_not_found`, `connector_kind`, `connector_in_use`, `owner_needed`,
 * `upgrade_required`.
 */
async function requireChange(own: Own, tx: SystemTx, actor: Actor, id: string, choices: Choices, key: OwnKey | null) {
  const before = await requireOwn(tx, actor, id);
  requirePlan(await own.tenants.findPlan(actor.tenant_id, tx));
  const chosen = rowOf(own, id, choices, key, before);
  if (chosen.kind !== before.kind) throw fail("connector_kind");
  // Whoever signs for a provider can be anybody who comes in by it.
  if (believesMore(before, chosen) && (await store.isOwnersWay(tx, actor.tenant_id, id))) requireOwner(actor);
  const isOther = isAnother(before, chosen);
  if (isOther && before.state !== "off") throw fail("connector_in_use");
  return { before, chosen, isOther };
}

/**
 * Changes a connector. Another provider or client is another connector: it has to be off, and to be tested anew. Throws
 * `connector_not_found`, `connector_in_use`, `connector_kind`, `owner_needed`, `upgrade_required`, `step_up_required`,
 * `too_many_requests` and what `choose` throws.
 */
export async function putConnector(
  own: Own,
  actor: Actor,
  ip: string,
  origin: Origin,
  id: string,
  input: ConnectorInput,
): Promise<Connector> {
  const choices = choose(own, input);
  const known = await store.findConnectorById(own.system.by(actor), id);
  const key = await keyFor(own, actor, origin, needsKey(choices, known), (tx) =>
    requireChange(own, tx, actor, id, choices, null),
  );
  await change(own, actor, async (tx) => {
    const { before, chosen, isOther } = await requireChange(own, tx, actor, id, choices, key);
    const row = {
      ...{ ...before, ...chosen },
      version: before.version + (isOther ? 1 : 0),
      last_test: isOther ? null : before.last_test,
      updated_at: own.clock.now(),
    };
    await store.updateConnector(tx, row);
    const secret = input.client_secret === undefined ? {} : { secret_changed: true };
    const detail = { ...changesOf(before, row), ...secret };
    await own.bus.emit(tx, "sso.connector_change", {
      ...{ by: byMember(actor, ip), connector_id: id, name: row.name, change: detail },
    });
  });
  return shown(own, actor, origin, id);
}

/** A workspace, and the session that goes on in it. */
type Place = Pick<Actor, "tenant_id" | "session_id">;

/** Lets go of what a sign-in began, for one that is off or gone. */
async function endAll(own: Own, tx: SystemTx, { tenant_id, session_id }: Place): Promise<void> {
  await store.updateWantedSignIn(tx, tenant_id, null, null);
  await own.sessions.endWorkspaceSignIns(tx, tenant_id, session_id, own.clock.now());
}

/** Deletes the connectors of a workspace whose owner did not set them up; gives how many that were. */
export async function removeAll(own: Own, tx: SystemTx, { tenant_id, by }: Ousted): Promise<number> {
  const connectors = await store.listNames(tx, tenant_id);
  if (connectors.length > 0) await endAll(own, tx, { tenant_id, session_id: "" });
  for (const { id, name } of connectors) {
    await store.deleteConnector(tx, tenant_id, id);
    await own.bus.emit(tx, "sso.connector_remove", { by, connector_id: id, name });
  }
  return connectors.length;
}

/** Deletes a connector and who came by it is; they stay members. Throws `connector_not_found`, `owner_needed`, `step_up_required`. */
export async function removeConnector(own: Own, actor: Actor, ip: string, id: string): Promise<void> {
  await change(own, actor, async (tx) => {
    const { name, state } = await requireOwn(tx, actor, id);
    if (state === "enforced") requireOwner(actor);
    await endAll(own, tx, actor);
    await store.deleteConnector(tx, actor.tenant_id, id);
    await own.bus.emit(tx, "sso.connector_remove", { by: byMember(actor, ip), connector_id: id, name });
  });
}

/** Throws `owner_needed`. */
function requireOwner({ role }: Actor): void {
  if (role !== "org_owner") throw fail("owner_needed");
}

async function enterState(
  own: Own,
  tx: SystemTx,
  actor: Actor,
  ip: string,
  row: store.ConnectorRow,
  state: ConnectorState,
): Promise<void> {
  await store.updateConnector(tx, { ...row, state, updated_at: own.clock.now() });
  const { id, name, state: previous } = row;
  await own.bus.emit(tx, "sso.connector_state", {
    ...{ by: byMember(actor, ip), connector_id: id, name, state, previous },
  });
}

/**
 * Lets people in through it, beside the other ways; what was enforced is that no more. Throws `connector_not_found`, `not_tested`,
 * `domain_unverified`, `owner_needed`, `upgrade_required`, `step_up_required`.
 */
export async function turnOn(own: Own, actor: Actor, ip: string, origin: Origin, id: string): Promise<Connector> {
  await change(own, actor, async (tx) => {
    const row = await requireOwn(tx, actor, id);
    if (row.state === "enforced") requireOwner(actor);
    else requirePlan(await own.tenants.findPlan(actor.tenant_id, tx));
    if (row.tested_version !== row.version) throw fail("not_tested");
    if ((await countDomains(tx, actor.tenant_id)).verified === 0) throw fail("domain_unverified");
    await store.updateWantedSignIn(tx, actor.tenant_id, null, null);
    await enterState(own, tx, actor, ip, row, "on");
  });
  return shown(own, actor, origin, id);
}

/** Lets nobody in through it, and ends what it began. Throws `connector_not_found`, `owner_needed`, `step_up_required`. */
export async function turnOff(own: Own, actor: Actor, ip: string, origin: Origin, id: string): Promise<Connector> {
  await change(own, actor, async (tx) => {
    const row = await requireOwn(tx, actor, id);
    if (row.state === "enforced") requireOwner(actor);
    await endAll(own, tx, actor);
    await enterState(own, tx, actor, ip, row, "off");
  });
  return shown(own, actor, origin, id);
}

/**
 * Lets nobody in another way, but for one owner with a second factor. Throws `connector_not_found`, `break_glass_not_found`,
 * `break_glass_factor`, `owner_needed`, `connector_off`, `owner_not_through`, `step_up_required`.
 */
export async function enforce(
  own: Own,
  actor: Actor,
  ip: string,
  origin: Origin,
  id: string,
  breakGlassId: string,
): Promise<Connector> {
  await change(own, actor, async (tx) => {
    const row = await requireOwn(tx, actor, id);
    const owner = await store.findOwner(tx, actor.tenant_id, breakGlassId);
    if (!owner) throw fail("break_glass_not_found", { id: breakGlassId });
    requireOwner(actor);
    if (owner.has_factor === 0) throw fail("break_glass_factor", { name: owner.name });
    if (row.state === "off") throw fail("connector_off");
    const since = own.clock.now() - THROUGH_MS;
    if (!(await store.hasOwnerComeThrough(tx, actor.tenant_id, since))) throw fail("owner_not_through");
    await store.updateWantedSignIn(tx, actor.tenant_id, id, breakGlassId);
    await enterState(own, tx, actor, ip, row, "enforced");
    own.accessEnds.ended(tx, actor.tenant_id);
  });
  return shown(own, actor, origin, id);
}
