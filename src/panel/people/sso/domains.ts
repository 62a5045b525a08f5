import { AppError } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { startPath } from "./addresses.ts";
import { DOMAINS_MAX, type Domain, fail } from "./contract.ts";
import * as store from "./domain-store.ts";
import { domainOf } from "./identity.ts";
import type { Own } from "./needs.ts";
import { requirePlan } from "./plan.ts";
import { listConnectors } from "./store.ts";

const PROOF_TRIES = 5;

const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const recordName = (host: string): string => `_orrery-challenge.${host}`;
/** What stands there when the domain is of the workspace that has this token. */
export const recordValue = (token: string): string => `orrery-domain=${token}`;

function present({ id, host, token, verified_at, checked_at, failing_since }: store.DomainRow): Domain {
  return {
    ...{ id, host, purpose: "sso", txt_name: recordName(host), txt_value: recordValue(token) },
    state: verified_at === null ? "pending" : failing_since === null ? "verified" : "failing",
    verified_at: verified_at === null ? null : toIso(verified_at),
    checked_at: checked_at === null ? null : toIso(checked_at),
  };
}

/** The domains of the caller's workspace. */
export async function listOwnDomains(actor: Actor): Promise<{ items: Domain[] }> {
  return { items: (await store.listDomains(actor.db)).map(present) };
}

/** Puts a domain into the list, to be proven. Throws `domain_unusable`, `domain_known`, `domain_limit`, `upgrade_required`. */
export function addDomain(own: Own, actor: Actor, ip: string, given: string): Promise<Domain> {
  const host = given.trim().toLowerCase().replace(/^@/, "").replace(/\.$/, "");
  if (!HOST.test(host)) throw fail("domain_unusable", { field: "host" });
  const { tenant_id } = actor;
  const row = { tenant_id, id: own.ids.next("dom"), host, token: own.ids.token(24), created_at: own.clock.now() };
  const added = { ...row, verified_at: null, checked_at: null, failing_since: null };
  return own.system.by(actor).tx(async (tx) => {
    await own.tenants.lockMembers(tx, tenant_id);
    requirePlan(await own.tenants.findPlan(tenant_id, tx));
    if ((await store.countDomains(tx, tenant_id)).all >= DOMAINS_MAX)
      throw fail("domain_limit", { limit: DOMAINS_MAX });
    if (!(await store.insertDomain(tx, added))) throw fail("domain_known", { field: "host" });
    await own.bus.emit(tx, "sso.domain_add", { by: byMember(actor, ip), domain_id: row.id, host });
    return present(added);
  });
}

/** The texts at the place of the proof; null when nobody answered. */
export async function look(own: Own, host: string): Promise<string[] | null> {
  try {
    return await own.askTexts(recordName(host));
  } catch (error) {
    own.log.warn("a domain could not be looked up", { host, error });
    return null;
  }
}

const foundText = (texts: readonly string[]): string =>
  texts.length === 0
    ? "no TXT record"
    : texts
        .slice(0, 3)
        .map((text) => `"${text.slice(0, 100)}"`)
        .join(", ");

/** Looks for the proof of a domain now. Throws `domain_not_found`, `dns_failed`, `txt_missing`, `domain_taken`. */
export async function verifyDomain(own: Own, actor: Actor, ip: string, id: string): Promise<Domain> {
  const row = await store.findDomain(own.system.by(actor), actor.tenant_id, id);
  if (!row) throw fail("domain_not_found", { id });
  const texts = await look(own, row.host);
  if (texts === null) throw fail("dns_failed");
  if (!texts.includes(recordValue(row.token)))
    throw fail("txt_missing", { txt_name: recordName(row.host), found: foundText(texts) });
  for (let tries = 1; ; tries++) {
    try {
      return await prove(own, actor, ip, row);
    } catch (error) {
      if (error instanceof AppError) throw error;
      // Of two workspaces that prove it in the same instant the database refuses one, which has seen no owner.
      await requireUnowned(own.system.by(actor), actor, row.host);
      // The other one may have given it up already: then it is free, and nothing stands in the way of the next try.
      if (tries >= PROOF_TRIES) throw error;
    }
  }
}

/** Writes down that a workspace has proven a domain. Throws `domain_not_found`, `domain_taken`. */
function prove(own: Own, actor: Actor, ip: string, { id, host }: store.DomainRow): Promise<Domain> {
  return own.system.by(actor).tx(async (tx) => {
    await own.tenants.lockMembers(tx, actor.tenant_id);
    const current = await store.findDomain(tx, actor.tenant_id, id);
    if (!current) throw fail("domain_not_found", { id });
    await requireUnowned(tx, actor, host);
    const now = own.clock.now();
    const proven = { ...current, verified_at: current.verified_at ?? now, checked_at: now, failing_since: null };
    await store.updateDomain(tx, proven);
    if (current.verified_at === null)
      await own.bus.emit(tx, "sso.domain_verify", { by: byMember(actor, ip), domain_id: id, host });
    return present(proven);
  });
}

async function requireUnowned(db: SystemTx | SystemDb, actor: Actor, host: string): Promise<void> {
  const owner = await store.findOwnerOf(db, host);
  if (owner !== null && owner !== actor.tenant_id) throw fail("domain_taken");
}

/** Takes a domain out of the list. Throws `domain_not_found`, `domain_needed`, `step_up_required`. */
export async function removeDomain(own: Own, actor: Actor, ip: string, id: string): Promise<void> {
  const isOn = (await listConnectors(actor.db)).some(({ state }) => state !== "off");
  await own.system.by(actor).tx(async (tx) => {
    await own.tenants.lockMembers(tx, actor.tenant_id);
    await own.factors.requireFreshProof(tx, actor);
    const row = await store.findDomain(tx, actor.tenant_id, id);
    if (!row) throw fail("domain_not_found", { id });
    const { verified } = await store.countDomains(tx, actor.tenant_id);
    if (isOn && row.verified_at !== null && verified === 1) throw fail("domain_needed");
    await store.deleteDomain(tx, actor.tenant_id, id);
    await own.bus.emit(tx, "sso.domain_remove", { by: byMember(actor, ip), domain_id: id, host: row.host });
  });
}

/** Where somebody with this address signs in, and what that is called; null for every address that no workspace has to do with. */
export async function discover(own: Own, email: string) {
  const found = await store.findSignInOf(own.system, domainOf(email));
  return { connector_url: found === null ? null : startPath(found.id), name: found?.name ?? null };
}
