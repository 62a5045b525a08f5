import { tryWrite } from "../../../kernel/db/try-write.ts";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { minutes } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import { assertNoKey } from "../sign-ins/index.ts";
import { presentUser, type UserRow } from "../users/index.ts";
import { fail, type Paired, type PairedDevice, type PairInput, type Pairing } from "./contract.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";

export const DEVICE_PREFIX = "dev_";
const MAX_DEVICES = 100;
const PAIRING_MS = minutes(10);
const TOUCH_MS = minutes(1);
const CODE_LENGTH = 10;
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Starts a pairing; its code is good for one app within ten minutes. Throws `key_cannot_sign_in`. */
export function startPairing({ ids, clock, pairings }: Pick<Own, "ids" | "clock" | "pairings">, actor: Actor): Pairing {
  assertNoKey(actor);
  const code = ids.code(CODE_LENGTH, CODE_ALPHABET);
  pairings.set(code, { user_id: actor.user_id, session_id: actor.session_id }, PAIRING_MS);
  return { code, expires_at: toIso(clock.now() + PAIRING_MS) };
}

/** The account that a pairing code stands for, as long as the session that showed it goes on. */
function takeOwner({ pairings, sessions, users }: Own, code: string): UserRow | null {
  const begun = pairings.take(code.toUpperCase().replace(/[\s-]/g, ""));
  if (!begun) return null;
  const session = begun.session_id === null ? null : sessions.find(begun.session_id);
  const owner = session !== null && session.revoked_at !== null ? null : users.find(begun.user_id);
  return owner?.disabled_at === null ? owner : null;
}

/**
 * Trades a pairing code for a device token, once. Throws `pairing_code_wrong`, `paired_device_limit`,
 * `too_many_requests`.
 */
export function pairDevice(own: Own, input: PairInput, ip: string): Paired {
  const { db, clock, ids, bus, signIns } = own;
  signIns.takeAttempt(ip);
  const owner = takeOwner(own, input.code);
  if (!owner) throw fail("pairing_code_wrong");
  signIns.giveAttemptBack(ip);
  const token = `${DEVICE_PREFIX}${ids.token(32)}`;
  const row = {
    id: ids.next("dvc"),
    user_id: owner.id,
    name: input.name.trim(),
    token_hash: sha256Hex(token),
    created_at: toIso(clock.now()),
  };
  db.tx(() => {
    if (store.countDevices(db, owner.id) >= MAX_DEVICES) throw fail("paired_device_limit", { limit: MAX_DEVICES });
    store.insertDevice(db, row);
    bus.emit("device.paired", { user_id: owner.id, device_id: row.id, name: row.name, ip });
  });
  return { id: row.id, name: row.name, token, user: presentUser(owner) };
}

/** The user's paired devices, newest first. */
export function listOwnDevices({ db }: Pick<Own, "db">, userId: string): PairedDevice[] {
  return store.listDevices(db, userId).map((row) => ({
    id: row.id,
    name: row.name,
    created_at: row.created_at,
    last_used_at: row.last_used_at === null ? null : toIso(row.last_used_at),
  }));
}

/** Ends a pairing; the device's token stops at once. Throws `paired_device_not_found`. */
export function removeDevice({ db, bus }: Pick<Own, "db" | "bus">, userId: string, id: string, ip: string): void {
  db.tx(() => {
    const row = store.deleteDevice(db, userId, id);
    if (!row) throw fail("paired_device_not_found", { id });
    bus.emit("device.removed", { user_id: userId, device_id: id, name: row.name, ip });
  });
}

/** The device behind a token, or null. Notes its use once a minute. */
export function checkDeviceToken(
  { db, clock, log }: Pick<Own, "db" | "clock" | "log">,
  token: string,
): store.DeviceRow | null {
  if (!token.startsWith(DEVICE_PREFIX)) return null;
  const row = store.findDeviceByHash(db, sha256Hex(token));
  const now = clock.now();
  // The distance counts, not the order: wall time may have been set back since.
  if (row && (row.last_used_at === null || Math.abs(now - row.last_used_at) >= TOUCH_MS))
    tryWrite(log, "last use of a paired device", () => store.touchDevice(db, row.id, now));
  return row;
}
