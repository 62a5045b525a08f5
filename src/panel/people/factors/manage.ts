import { toIso } from "../../../lib/clock.ts";
import { hashRecoveryCode, makeRecoveryCode, makeTotpSecret, RECOVERY_CODES } from "../../../shared/totp/index.ts";
import type { NewChallenge } from "../../../shared/webauthn/contract.ts";
import { type Actor, countedAs } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { requireWholeAccount } from "../sessions/index.ts";
import { APP_NAME, noteAdded, noteRemoved, readFactors } from "./change.ts";
import { acceptCode, recoveryKey, secretsUnder } from "./codes.ts";
import { fail, type KeyRegistration, type SecurityKey, type TotpEnrolment, type TotpStatus } from "./contract.ts";
import { askForNewKey, presentKey, readNewKey } from "./keys.ts";
import type { Own } from "./needs.ts";
import { requireFreshProof } from "./step-up.ts";
import * as store from "./store.ts";

const MAX_KEYS = 50;
const ISSUER = "Orrery";

/** Whether the app is set up, since when, and how many recovery codes are left. Throws `reauth_required`. */
export async function readTotpStatus({ system }: Pick<Own, "system">, actor: Actor): Promise<TotpStatus> {
  requireWholeAccount(actor);
  const own = system.by(actor);
  const at = (await store.findTotp(own, actor.account_id))?.enabled_at ?? null;
  const recovery_codes_left = await store.countRecoveryCodes(own, actor.account_id);
  return { enabled: at !== null, enabled_at: at === null ? null : toIso(at), recovery_codes_left };
}

/**
 * One change of the ways into an account at a time, by somebody who proved lately who they are. Throws `step_up_required`,
 * `reauth_required`.
 */
function change<T>(own: Own, actor: Actor, run: (tx: SystemTx) => Promise<T>): Promise<T> {
  return own.system.by(actor).tx(async (tx) => {
    requireWholeAccount(actor);
    await own.tenants.lockAccount(tx, actor.account_id);
    await requireFreshProof(own, tx, actor);
    return run(tx);
  });
}

/** Makes a secret that takes effect once a code of it is verified. Throws `totp_already_on`, `step_up_required`. */
export function startTotp(own: Own, actor: Actor): Promise<TotpEnrolment> {
  return change(own, actor, async (tx) => {
    if ((await readFactors(tx, actor.account_id)).totp) throw fail("totp_already_on");
    const account = await own.tenants.findAccountById(actor.account_id, tx);
    const { secret, uri, qr } = makeTotpSecret(account?.email ?? "", ISSUER);
    await store.saveDraft(tx, actor.account_id, secretsUnder(own).seal(actor.account_id, secret));
    return { provisioning_uri: uri, secret, qr };
  });
}

/** Turns the app on with its first code. Throws `totp_not_started`, `totp_already_on`, `totp_code_invalid`, `step_up_required`. */
export async function activateTotp(own: Own, actor: Actor, ip: string, code: string): Promise<void> {
  const giveBack = own.tries.take(countedAs(actor), ip);
  await change(own, actor, async (tx) => {
    const row = await store.findTotp(tx, actor.account_id);
    if (!row) throw fail("totp_not_started");
    if (row.enabled_at !== null) throw fail("totp_already_on");
    if (!(await acceptCode(own, tx, row, code))) throw fail("totp_code_invalid");
    await store.markEnabled(tx, actor.account_id, own.clock.now());
    await noteAdded(own, tx, actor, ip, "totp", APP_NAME);
  });
  giveBack();
}

/** Takes the app off the account. Throws `totp_not_on`, `factor_wanted`, `step_up_required`. */
export function disableTotp(own: Own, actor: Actor, ip: string): Promise<void> {
  return change(own, actor, async (tx) => {
    if (!(await readFactors(tx, actor.account_id)).totp) throw fail("totp_not_on");
    await store.deleteTotp(tx, actor.account_id);
    await noteRemoved(own, tx, actor, ip, "totp", APP_NAME);
  });
}

/** Makes ten recovery codes in place of those there are, shown once. Throws `no_factor`, `step_up_required`. */
export function makeRecoveryCodes(own: Own, actor: Actor, ip: string): Promise<{ codes: string[] }> {
  return change(own, actor, async (tx) => {
    const { totp, keys } = await readFactors(tx, actor.account_id);
    if (!totp && keys === 0) throw fail("no_factor");
    const codes = Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(own.ids));
    const key = recoveryKey(own);
    await store.deleteRecoveryCodes(tx, actor.account_id);
    for (const code of codes) await store.insertRecoveryCode(tx, actor.account_id, hashRecoveryCode(key, code));
    await own.bus.emit(tx, "account.recovery_codes", { by: byMember(actor, ip) });
    return { codes };
  });
}

/** Asks for a new key of the caller. Throws `keys_unavailable`, `step_up_required`. */
export async function beginKey(own: Own, actor: Actor, request: Request, isHttps: boolean): Promise<NewChallenge> {
  await change(own, actor, async () => {});
  return askForNewKey(own, actor, request, isHttps);
}

/** The caller's keys, the oldest first. Throws `reauth_required`. */
export async function listOwnKeys(
  { system }: Pick<Own, "system">,
  actor: Actor,
): Promise<{ credentials: SecurityKey[] }> {
  requireWholeAccount(actor);
  return { credentials: (await store.listKeys(system.by(actor), actor.account_id)).map(presentKey) };
}

/** Keeps a new key. Throws `key_challenge_gone`, `key_invalid`, `key_known`, `key_limit`, `step_up_required`, `reauth_required`. */
export async function addKey(own: Own, actor: Actor, ip: string, input: KeyRegistration): Promise<SecurityKey> {
  requireWholeAccount(actor);
  const challenge = own.challenges.takeOwn(input.session_id, "register", actor.session_id);
  if (!challenge) throw fail("key_challenge_gone");
  const row = await readNewKey(own, challenge, input, actor.account_id);
  await change(own, actor, async (tx) => {
    if ((await readFactors(tx, actor.account_id)).keys >= MAX_KEYS) throw fail("key_limit", { limit: MAX_KEYS });
    if (!(await store.insertKey(tx, row))) throw fail("key_known");
    await noteAdded(own, tx, actor, ip, "key", row.name);
  });
  return presentKey({ ...row, last_used_at: null });
}

async function findOwnKey(tx: SystemTx, { account_id }: Actor, id: string): Promise<store.KeyRow> {
  const row = (await store.listKeys(tx, account_id)).find((each) => each.id === id);
  if (!row) throw fail("key_not_found", { id });
  return row;
}

/** Gives a key another name. Throws `key_not_found`, `reauth_required`. */
export function renameOwnKey(own: Pick<Own, "system">, actor: Actor, id: string, name: string): Promise<SecurityKey> {
  return own.system.by(actor).tx(async (tx) => {
    requireWholeAccount(actor);
    await store.renameKey(tx, actor.account_id, id, name.trim());
    return presentKey(await findOwnKey(tx, actor, id));
  });
}

/** Removes a key; it opens nothing any more. Throws `key_not_found`, `factor_wanted`, `step_up_required`, `reauth_required`. */
export function removeKey(own: Own, actor: Actor, ip: string, id: string): Promise<void> {
  return own.system.by(actor).tx(async (tx) => {
    requireWholeAccount(actor);
    await own.tenants.lockAccount(tx, actor.account_id);
    const row = await findOwnKey(tx, actor, id);
    await requireFreshProof(own, tx, actor);
    await store.deleteKey(tx, actor.account_id, id);
    await noteRemoved(own, tx, actor, ip, "key", row.name);
  });
}
