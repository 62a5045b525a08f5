import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days, minutes } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { DirectoryCaller, Ousted } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember, byPanel } from "../../event-meaning.ts";
import { requirePlan } from "../sso/index.ts";
import { type DirectoryToken, fail, type MadeToken, paused, TOKENS_MAX, type TokenInput } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./token-store.ts";

/** What a token begins with, so that whoever finds one knows what it is. */
const PREFIX = "orscim_";
const HINT = 4;
/** How exact the time of the last use is. */
const TOUCH_MS = minutes(1);

export const presentToken = (row: store.TokenRow): DirectoryToken => ({
  ...{ id: row.id, name: row.name, hint: row.hint },
  created_at: toIso(row.created_at),
  expires_at: toIso(row.expires_at),
  used_at: row.used_at === null ? null : toIso(row.used_at),
  ...{ paused: row.is_paused === 1, is_answered_for: row.made_by !== null },
});

/** Makes a token, which is told this once. Throws `upgrade_required`, `scim_token_limit`, `step_up_required`. */
export function addToken(needs: Needs, actor: Actor, ip: string, input: TokenInput): Promise<MadeToken> {
  return needs.system.by(actor).tx(async (tx) => {
    await needs.tenants.lockMembers(tx, actor.tenant_id);
    await needs.factors.requireFreshProof(tx, actor);
    requirePlan(await needs.tenants.findPlan(actor.tenant_id, tx));
    if ((await store.countTokens(tx, actor.tenant_id)) >= TOKENS_MAX) throw fail("scim_token_limit");
    const token = `${PREFIX}${needs.ids.token(32)}`;
    const now = needs.clock.now();
    const row: store.TokenRow = {
      ...{ id: needs.ids.next("dir"), name: input.name, hint: token.slice(-HINT) },
      ...{ created_at: now, expires_at: now + days(input.expires_in_days), used_at: null },
      ...{ made_by: actor.member_id, is_paused: 0 },
    };
    await store.insertToken(tx, actor.tenant_id, sha256Hex(token), { ...row, ...makerOf(actor) });
    await needs.bus.emit(tx, "scim.token_add", { by: byMember(actor, ip), token_id: row.id, name: row.name });
    return { ...presentToken(row), token };
  });
}

const makerOf = ({ member_id, role }: Actor) => ({ made_by: member_id, made_by_role: role });

/** Makes the caller answer for a token, which is good again at once. Throws `scim_token_not_found`, `step_up_required`. */
export function takeOverToken(needs: Needs, actor: Actor, ip: string, id: string): Promise<DirectoryToken> {
  return needs.system.by(actor).tx(async (tx) => {
    await needs.factors.requireFreshProof(tx, actor);
    const row = await store.findToken(tx, actor.tenant_id, id);
    if (!row) throw fail("scim_token_not_found", { id });
    await store.updateMaker(tx, actor.tenant_id, id, makerOf(actor));
    await needs.bus.emit(tx, "scim.token_take_over", { by: byMember(actor, ip), token_id: id, name: row.name });
    return presentToken({ ...row, made_by: actor.member_id, is_paused: 0 });
  });
}

/** Ends a token at once. Throws `scim_token_not_found`, `step_up_required`. */
export function removeToken(needs: Needs, actor: Actor, ip: string, id: string): Promise<void> {
  return needs.system.by(actor).tx(async (tx) => {
    await needs.factors.requireFreshProof(tx, actor);
    const row = await store.findToken(tx, actor.tenant_id, id);
    if (!row) throw fail("scim_token_not_found", { id });
    await store.deleteToken(tx, actor.tenant_id, id);
    await needs.bus.emit(tx, "scim.token_remove", { by: byMember(actor, ip), token_id: id, name: row.name });
  });
}

/** Ends all of a workspace whose owner did not make them; gives how many that were. */
export async function removeAll({ bus }: Pick<Needs, "bus">, tx: SystemTx, { tenant_id, by }: Ousted): Promise<number> {
  const ended = await store.deleteTokensOf(tx, tenant_id);
  for (const { id, name } of ended) await bus.emit(tx, "scim.token_remove", { by, token_id: id, name });
  return ended.length;
}

/**
 * The directory whose token a request brings; null for none, and for one that ran out. That one is paused is told when it is first
 * refused, and again after it was good in between.
 */
export async function findDirectory(needs: Needs, token: string): Promise<DirectoryCaller | null> {
  if (!token.startsWith(PREFIX)) return null;
  const row = await store.findByHash(needs.system, sha256Hex(token));
  const now = needs.clock.now();
  if (!row || row.expires_at <= now) return null;
  const { id, tenant_id, workspace, name } = row;
  const isPaused = row.is_paused === 1;
  if (isPaused !== (row.paused_at !== null))
    await needs.system.tx(async (tx) => {
      if (!(await store.notePause(tx, tenant_id, id, isPaused ? now : null)) || !isPaused) return;
      await needs.bus.emit(tx, "scim.token_pause", { by: byPanel(tenant_id), token_id: id, name });
    });
  const caller = { token_id: id, tenant_id, workspace, is_suspended: row.status === "suspended" };
  if (isPaused) return { ...caller, refusal: paused(name) };
  if (row.used_at === null || now - row.used_at > TOUCH_MS) await store.touchToken(needs.system, tenant_id, id, now);
  return { ...caller, refusal: null };
}
