import { tryWrite } from "../../../kernel/db/try-write.ts";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { minutes } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { LastingWay } from "../../base.ts";
import { presentUser, type UserRow } from "../users/index.ts";
import { fail, type Paired, type PairedDevice, type PairInput, type Pairing } from "./contract.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";
import { underThisAccess } from "./under-this-access.ts";

export const DEVICE_PREFIX = "dev_";
const MAX_DEVICES = 100;
export const PAIRING_MS = minutes(10);
const TOUCH_MS = minutes(1);
const CODE_LENGTH = 10;
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Starts a pairing; its code is good for one app within ten minutes. */
export function startPairing(
  own: Pick<Own, "ids" | "clock" | "db" | "sessions" | "users" | "pairings">,
  actor: Actor,
): Pairing {
  const { ids, clock, pairings } = own;
  const code = ids.code(CODE_LENGTH, CODE_ALPHABET);
  const { user_id, device_id } = actor;
  pairings.set(code, { user_id, device_id, holds: underThisAccess(own, actor) }, [user_id]);
  return { code, expires_at: toIso(clock.now() + PAIRING_MS) };
}

/** The account that a pairing code stands for, and the app that showed it, as long as what it was shown under goes on. */
function takeOwner(own: Own, code: string): { owner: UserRow; deviceId: string | null } | null {
  const begun = own.pairings.take(code.toUpperCase().replace(/[\s-]/g, ""));
  if (!begun?.holds()) return null;
  const owner = own.users.find(begun.user_id);
  return owner?.disabled_at === null ? { owner, deviceId: begun.device_id } : null;
}

/**
 * Trades a pairing code for a device token, once. Throws `pairing_code_wrong`, `paired_device_limit`,
 * `too_many_requests`.
 */
export function pairDevice(own: Own, input: PairInput, ip: string): Paired {
  const { db, clock, ids, bus, signIns } = own;
  signIns.takeAttempt(ip);
  const taken = takeOwner(own, input.code);
  if (!taken) throw fail("pairing_code_wrong");
  const { owner, deviceId } = taken;
  signIns.giveAttemptBack(ip);
  const token = `${DEVICE_PREFIX}${ids.token(32)}`;
  const row = {
    id: ids.next("dvc"),
    user_id: owner.id,
    name: input.name.trim(),
    token_hash: sha256Hex(token),
    created_at: toIso(clock.now()),
    parent_device_id: deviceId,
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

type EndNeeds = Pick<Own, "db" | "bus"> & {
  sessions: Pick<Own["sessions"], "cutMadeBy">;
  lists: Pick<Own["lists"], "lastingWays">;
};

/** Ends a device with all that it made and let in, what these made and let in, and so on; tells of each. */
function endDevice(
  { db, bus, sessions, lists }: EndNeeds,
  { id, user_id, name }: Pick<store.DeviceRow, "id" | "user_id" | "name">,
  ip: string,
): void {
  bus.emit("device.removed", { user_id, device_id: id, name, ip });
  // Other devices are among the ways: each ends its own first.
  for (const { endMadeBy } of lists.lastingWays.all()) endMadeBy(id, ip);
  sessions.cutMadeBy(id, ip);
  store.deleteDevice(db, id);
}

/** Ends a pairing and what it made; the device's token stops at once. Throws `paired_device_not_found`. */
export function removeDevice(needs: EndNeeds, userId: string, id: string, ip: string): void {
  needs.db.tx(() => {
    const device = store.findDevice(needs.db, userId, id);
    if (!device) throw fail("paired_device_not_found", { id });
    endDevice(needs, device, ip);
  });
}

/** Paired devices, which outlast the session that let them in. */
export const devicesWay = (needs: EndNeeds): LastingWay => ({
  name: "devices",
  count: (userId) => store.countDevices(needs.db, userId),
  endAllOf(userId, { ip, spare_device_id }) {
    const spared = spare_device_id === null ? [] : store.listWithLetIn(needs.db, userId, spare_device_id);
    const kept = new Set(spared.map(({ id }) => id));
    const before = store.countDevices(needs.db, userId);
    for (const { id } of store.listDevices(needs.db, userId).filter(({ id }) => !kept.has(id))) {
      // One that another let in may have ended with that.
      const device = store.findDevice(needs.db, userId, id);
      if (device) endDevice(needs, device, ip);
    }
    return before - store.countDevices(needs.db, userId);
  },
  endMadeBy(deviceId, ip) {
    for (const device of store.listLetIn(needs.db, deviceId)) endDevice(needs, device, ip);
  },
});

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
