import { networksAround } from "../../../kernel/http/peer.ts";
import { toIso } from "../../../lib/clock.ts";
import type { NewChallenge, UseChallenge, UsedCredential } from "../../../shared/webauthn/contract.ts";
import {
  askForNew,
  askForProof,
  namesOwner,
  type RelyingParty,
  readPasskeySupport,
  verifyNew,
  verifyUsed,
} from "../../../shared/webauthn/index.ts";
import type { Actor } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { By } from "../../event-meaning.ts";
import type { Visit } from "../devices/index.ts";
import type { Challenge, Purpose } from "./challenges.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";
import { advanceCounter, findByCredentialId, type KeyRow, listKeys } from "./store.ts";

/** Who keys are made for at this address: the host of the panel's public address, or that of the request. Throws `keys_unavailable`. */
function requireSupport({ config }: Pick<Own, "config">, request: Request, isHttps: boolean): RelyingParty {
  const configured = config.public_url === "" ? "" : new URL(config.public_url).hostname;
  const support = readPasskeySupport(request, isHttps, configured);
  if (!support.enabled) throw fail("keys_unavailable", { reason: support.reason });
  return support.rp;
}

/** Asks for a new key of somebody. Throws `keys_unavailable`. */
export async function askForNewKey(own: Own, actor: Actor, request: Request, isHttps: boolean): Promise<NewChallenge> {
  const rp = requireSupport(own, request, isHttps);
  const account = await own.tenants.findAccountById(actor.account_id);
  const user = { id: actor.account_id, name: account?.email ?? "" };
  const publicKey = await askForNew(
    own.ids,
    rp,
    user,
    await listKeys(own.system.by(actor), actor.account_id),
    "preferred",
  );
  const purpose: Purpose = { kind: "register", session_id: actor.session_id };
  const session_id = own.challenges.open({ ...rp, purpose, challenge: publicKey.challenge }, [actor.account_id]);
  return { session_id, options: { publicKey } };
}

/** Asks for a proof by one of the account's keys. Throws `keys_unavailable`. */
export async function askForKey(
  own: Own,
  accountId: string,
  purpose: Purpose,
  request: Request,
  isHttps: boolean,
): Promise<UseChallenge> {
  const keys = await listKeys(own.system, accountId);
  if (keys.length === 0) throw fail("keys_unavailable", { reason: "the account has none." });
  return ask(own, { purpose, whose: [accountId], keys, rp: requireSupport(own, request, isHttps) });
}

/** Asks for a proof by a passkey that knows its account. Throws `keys_unavailable`. */
export const askForPasskey = async (own: Own, { ip, request, isHttps }: Visit): Promise<UseChallenge> =>
  ask(own, {
    purpose: { kind: "passkey" },
    whose: networksAround(ip),
    keys: [],
    rp: requireSupport(own, request, isHttps),
  });

interface Question {
  purpose: Purpose;
  /** The account that is asked, or the networks of a stranger. */
  whose: readonly string[];
  keys: readonly KeyRow[];
  rp: RelyingParty;
}

async function ask(own: Own, { purpose, whose, keys, rp }: Question): Promise<UseChallenge> {
  const publicKey = await askForProof(own.ids, rp, keys, purpose.kind === "passkey" ? "required" : "discouraged");
  const session_id = own.challenges.open({ ...rp, purpose, challenge: publicKey.challenge }, whose);
  return { session_id, options: { publicKey } };
}

/** A key whose signature was good; its counter is not judged yet. */
export interface KeyClaim {
  row: KeyRow;
  counter: number;
  /** The authenticator checked who holds it. */
  isVerified: boolean;
}

/** Checks an authenticator's answer; null for an unknown key, one of somebody else, or a bad signature. */
export async function checkKey(
  { system }: Pick<Own, "system">,
  challenge: Challenge,
  credential: UsedCredential,
): Promise<KeyClaim | null> {
  const row = await findByCredentialId(system, credential.id);
  if (!row || !namesOwner(credential.response.userHandle, row.account_id)) return null;
  const public_key = new Uint8Array(Buffer.from(row.public_key, "base64url"));
  const info = await verifyUsed(challenge, { credential_id: row.credential_id, public_key }, credential);
  return info && { row, counter: info.newCounter, isVerified: info.userVerified };
}

/** Lets the key count for its account, once for each of its counts; a counter that went backwards is written down. */
export async function useKey(
  { bus, clock }: Pick<Own, "bus" | "clock">,
  tx: SystemTx,
  { row, counter }: KeyClaim,
  by: By,
  member: { account_id: string; member_id: string },
): Promise<boolean> {
  if (row.account_id !== member.account_id) return false;
  if (await advanceCounter(tx, row.id, counter, clock.now())) return true;
  const current = await findByCredentialId(tx, row.credential_id);
  if (current) await bus.emit(tx, "account.key_copied", { by, member_id: member.member_id, name: current.name });
  return false;
}

/** The key that a browser made for the challenge, as it is kept. Throws `key_invalid`. */
export async function readNewKey(
  { clock, ids }: Pick<Own, "clock" | "ids">,
  challenge: Challenge,
  { credential, name }: { credential: Parameters<typeof verifyNew>[1]; name: string },
  accountId: string,
): Promise<Omit<KeyRow, "last_used_at">> {
  const made = await verifyNew(challenge, credential);
  if (!made) throw fail("key_invalid");
  return {
    id: ids.next("key"),
    account_id: accountId,
    name: name.trim(),
    credential_id: made.id,
    public_key: Buffer.from(made.publicKey).toString("base64url"),
    counter: made.counter,
    transports: JSON.stringify(credential.response.transports ?? []),
    rp_id: challenge.rp_id,
    created_at: clock.now(),
  };
}

/** A key as its owner sees it. */
export const presentKey = ({ id, name, created_at, last_used_at }: KeyRow) => ({
  id,
  name,
  created_at: toIso(created_at),
  last_used_at: last_used_at === null ? null : toIso(last_used_at),
});
