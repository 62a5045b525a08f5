import type { Actor } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { type FactorKind, type FactorMethod, fail } from "./contract.ts";
import { tellOwner } from "./letters.ts";
import type { Needs } from "./needs.ts";
import { countRecoveryCodes, deleteRecoveryCodes, findTotp, listKeys } from "./store.ts";

type Deps = Pick<Needs, "bus" | "mail" | "system" | "tenants">;

/** The factor of an app, as people read of it. */
export const APP_NAME = "Authenticator app";

/** The second factors that an account has: its app, if that is on, and how many keys. */
export async function readFactors(tx: SystemTx, accountId: string): Promise<{ totp: boolean; keys: number }> {
  const app = await findTotp(tx, accountId);
  return { totp: (app?.enabled_at ?? null) !== null, keys: (await listKeys(tx, accountId)).length };
}

/** What can finish a sign-in of the account; empty without second factor. */
export async function listMethods(tx: SystemTx, accountId: string): Promise<FactorMethod[]> {
  const { totp, keys } = await readFactors(tx, accountId);
  const methods: FactorMethod[] = [...(totp ? ["totp" as const] : []), ...(keys > 0 ? ["webauthn" as const] : [])];
  if (methods.length > 0 && (await countRecoveryCodes(tx, accountId)) > 0) methods.push("recovery_code");
  return methods;
}

/** Writes down that somebody has one more factor, in the transaction that adds it. */
export async function noteAdded(
  deps: Deps,
  tx: SystemTx,
  actor: Actor,
  ip: string,
  factor: FactorKind,
  name: string,
): Promise<void> {
  await deps.tenants.updateHasFactor(tx, actor.account_id, true);
  await deps.bus.emit(tx, "account.factor_add", { by: byMember(actor, ip), factor, name });
  await tellOwner(deps, tx, actor.account_id, { change: "added", name: factor === "key" ? name : "", ip });
}

/**
 * Writes down that somebody has one factor less, in the transaction that removed it; with the last one the recovery codes go.
 * Throws `factor_wanted`, which undoes it, where a workspace wants one.
 */
export async function noteRemoved(
  deps: Deps,
  tx: SystemTx,
  actor: Actor,
  ip: string,
  factor: FactorKind,
  name: string,
): Promise<void> {
  const { totp, keys } = await readFactors(tx, actor.account_id);
  if (!totp && keys === 0) {
    const duty = await deps.tenants.findFactorDuty(tx, actor.account_id);
    if (duty) throw fail("factor_wanted", { name: duty.name });
    await deleteRecoveryCodes(tx, actor.account_id);
    await deps.tenants.updateHasFactor(tx, actor.account_id, false);
  }
  await deps.bus.emit(tx, "account.factor_remove", { by: byMember(actor, ip), factor, name });
  await tellOwner(deps, tx, actor.account_id, { change: "removed", name: factor === "key" ? name : "", ip });
}
