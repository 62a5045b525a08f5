import { createHmac } from "node:crypto";
import { tryWrite } from "../../../kernel/db/try-write.ts";
import type { AppError } from "../../../kernel/http/errors.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import { toIso } from "../../../lib/clock.ts";
import { cutText } from "../../../lib/cut-text.ts";
import { minutes } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { LastingWay } from "../../base.ts";
import { type DavPassword, type DavPasswordInput, fail, MAX_PASSWORDS, type NewDavPassword } from "./contract.ts";
import { readBasic } from "./credentials.ts";
import type { Gates } from "./gates.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

/** Letters that are not mixed up, five bits each: 120 bits, in groups that can be typed on a phone. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const LETTERS = 24;
const GROUP = 6;
const TOUCH_MS = minutes(1);
/** Where the Drive is, which programs are told. */
const PATH = "/dav/drive/";
const CHALLENGE = { "www-authenticate": 'Basic realm="Orrery Drive", charset="UTF-8"' };

/** What is kept of a password: its letters alone, so that how it was typed does not matter. */
function hashOf({ seal }: Pick<Needs, "seal">, password: string): string {
  const letters = password.toLowerCase().replace(/[\s-]/g, "");
  return createHmac("sha256", seal.deriveKey("dav-password")).update(letters).digest("hex");
}

const present = ({ id, name, created_at, last_used_at }: store.DavPasswordRow): DavPassword => ({
  id,
  name,
  created_at: toIso(created_at),
  last_used_at: last_used_at === null ? null : toIso(last_used_at),
});

/** The user's passwords, the newest first, without their text. */
export const listOwnPasswords = ({ db }: Pick<Needs, "db">, userId: string): DavPassword[] =>
  store.listPasswords(db, userId).map(present);

/** Makes a password; its text is in this answer alone. Throws `dav_password_limit`. */
export function makePassword(needs: Needs, actor: Actor, input: DavPasswordInput, ip: string): NewDavPassword {
  const { db, bus, ids, clock, users } = needs;
  const { user_id, device_id: parent_device_id } = actor;
  const letters = ids.code(LETTERS, ALPHABET);
  const password = letters.match(new RegExp(`.{${GROUP}}`, "g"))?.join("-") ?? letters;
  const name = input.name.trim();
  const row = { id: ids.next("dav"), user_id, name, secret_hash: hashOf(needs, password), created_at: clock.now() };
  db.tx(() => {
    if (store.listPasswords(db, user_id).length >= MAX_PASSWORDS)
      throw fail("dav_password_limit", { limit: MAX_PASSWORDS });
    store.insertPassword(db, { ...row, parent_device_id });
    bus.emit("dav_password.created", { user_id, password_id: row.id, name, ip });
  });
  const made = present({ ...row, last_used_at: null, parent_device_id });
  return { ...made, username: users.get(user_id).username, password, path: PATH };
}

/** Ends a password at once. Throws `dav_password_not_found`. */
export function revokePassword({ db, bus }: Pick<Needs, "db" | "bus">, userId: string, id: string, ip: string): void {
  db.tx(() => {
    const row = store.listPasswords(db, userId).find((each) => each.id === id);
    if (row === undefined) throw fail("dav_password_not_found");
    store.deletePassword(db, id);
    bus.emit("dav_password.revoked", { user_id: userId, password_id: id, name: row.name, ip });
  });
}

/** Passwords for programs, which outlast the session that made them. */
export const davPasswordsWay = (needs: Pick<Needs, "db" | "bus">): LastingWay => ({
  name: "webdav",
  count: (userId) => store.listPasswords(needs.db, userId).length,
  endAllOf(userId, { ip, spare_device_id }) {
    const ending = store
      .listPasswords(needs.db, userId)
      .filter(({ parent_device_id }) => spare_device_id === null || parent_device_id !== spare_device_id);
    for (const { id } of ending) revokePassword(needs, userId, id, ip);
    return ending.length;
  },
  endMadeBy(deviceId, ip) {
    for (const { user_id, id } of store.listPasswordsOfDevice(needs.db, deviceId))
      revokePassword(needs, user_id, id, ip);
  },
});

/** The password behind an Authorization header that fits its user name; else null. Notes its use once a minute. */
export function checkPassword(needs: Needs, header: string | null): store.DavPasswordRow | null {
  const shown = readBasic(header);
  if (shown === null) return null;
  const row = store.findByHash(needs.db, hashOf(needs, shown.password));
  const username = row && needs.users.find(row.user_id)?.username;
  if (!row || username?.toLowerCase() !== shown.username.trim().toLowerCase()) return null;
  const now = needs.clock.now();
  // The distance counts, not the order: wall time may have been set back since.
  if (row.last_used_at === null || Math.abs(now - row.last_used_at) >= TOUCH_MS)
    tryWrite(needs.log, "last use of a WebDAV password", () => store.touchPassword(needs.db, row.id, now));
  return row;
}

/** What whoever was not let in hears; one who came with something is counted and on record. */
export function refusalOf(needs: Needs & { gates: Gates }, header: string | null, ip: string): AppError {
  const shown = readBasic(header);
  if (shown === null) return fail("dav_unauthorized", {}, CHALLENGE);
  const username = cutText(shown.username, 64);
  const wait = needs.gates.count(ip, username.toLowerCase());
  if (wait > 0) return tooManyRequests(wait);
  needs.db.record(() => needs.bus.emit("dav_password.refused", { username, ip }));
  return fail("dav_unauthorized", {}, CHALLENGE);
}
