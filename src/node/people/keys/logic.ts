import { createHmac, timingSafeEqual } from "node:crypto";
import { tryWrite } from "../../../kernel/db/try-write.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Actor, ActorKey } from "../../actor.ts";
import type { LastingWay } from "../../base.ts";
import { fail, KEY_SCOPES, type Key, type KeyCreated, type KeyInput } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

export const KEY_PREFIX = "svc_";
const MAX_KEYS = 100;
const SECRET_BYTES = 24;
/** Lengths of secret and signature as base64url. */
const SECRET_LENGTH = 32;
const KEY_PATTERN = /^svc_[A-Za-z0-9_-]{75}$/;
const TOUCH_MS = minutes(1);

/** Brings scopes into one form: `*`, or known names without repeats, sorted. Throws `key_scope_unknown`. */
export function normalizeScopes(scopes: string): string {
  const names = scopes
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const known: readonly string[] = KEY_SCOPES;
  const unknown = names.find((name) => name !== "*" && !known.includes(name));
  if (unknown !== undefined || names.length === 0) {
    throw fail("key_scope_unknown", { scope: unknown ?? "An empty list", known: known.join(", ") });
  }
  return names.includes("*") ? "*" : [...new Set(names)].sort().join(",");
}

/** True when a key with these scopes may call a route of `scope`; a route without one takes only `*`. */
export function coversScope(scopes: string, scope: string | null): boolean {
  return scopes === "*" || (scope !== null && scopes.split(",").includes(scope));
}

function sign({ seal }: Pick<Needs, "seal">, secret: string): string {
  return createHmac("sha256", seal.deriveKey("api-key")).update(secret).digest("base64url");
}

function presentKey(row: store.KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: row.created_at,
    expires_at: row.expires_at === null ? null : toIso(row.expires_at),
    last_used_at: row.last_used_at === null ? null : toIso(row.last_used_at),
  };
}

/** What a key may do and until when; one made by a key stays within that key. Throws `key_scope_unknown`, `key_exceeds_parent`. */
function limitsOf(input: KeyInput, parent: ActorKey | null, now: number): Pick<store.KeyRow, "scopes" | "expires_at"> {
  const scopes = normalizeScopes(input.scopes ?? parent?.scopes ?? "*");
  const asked = input.expires_in ? now + seconds(input.expires_in) : null;
  if (parent === null) return { scopes, expires_at: asked };
  const end = parent.expires_at ?? Number.POSITIVE_INFINITY;
  const isWithin = scopes.split(",").every((scope) => coversScope(parent.scopes, scope));
  if (!isWithin || (asked ?? 0) > end)
    throw fail("key_exceeds_parent", {
      scopes: parent.scopes,
      expires_at: parent.expires_at === null ? "when it is revoked" : toIso(parent.expires_at),
    });
  return { scopes, expires_at: asked ?? parent.expires_at };
}

/**
 * Makes a key; its text is in this answer only. One made by a key has at most its scopes and its time, and ends with it.
 * Throws `key_scope_unknown`, `key_exceeds_parent`, `key_limit`, `unauthorized` when what asks was ended meanwhile.
 */
export function createKey(needs: Needs, actor: Actor, input: KeyInput, ip: string): KeyCreated {
  const { db, clock, ids, bus } = needs;
  const { user_id: userId, key: parent, device_id: parent_device_id } = actor;
  const secret = ids.token(SECRET_BYTES);
  const now = clock.now();
  const { scopes, expires_at: endsAt } = limitsOf(input, parent, now);
  const row = {
    id: ids.next("key"),
    user_id: userId,
    name: input.name.trim(),
    scopes,
    secret_hash: sha256Hex(secret),
    created_at: toIso(now),
    expires_at: endsAt,
    parent_key_id: parent?.id ?? null,
    parent_device_id,
  };
  db.tx(() => {
    // Its parent may have been revoked while the body was on its way.
    if (parent && store.listWithMade(db, userId, parent.id).length === 0) throw kernelFail("unauthorized");
    if (store.listKeys(db, userId).length >= MAX_KEYS) throw fail("key_limit", { limit: MAX_KEYS });
    store.insertKey(db, row);
    bus.emit("key.created", { user_id: userId, key_id: row.id, name: row.name, scopes, ip });
  });
  const { id, name, created_at, expires_at } = presentKey({ ...row, last_used_at: null });
  return { id, name, key: `${KEY_PREFIX}${secret}${sign(needs, secret)}`, scopes, created_at, expires_at };
}

/** The user's keys, newest first, without their text. */
export function listOwnKeys({ db }: Pick<Needs, "db">, userId: string): Key[] {
  return store.listKeys(db, userId).map(presentKey);
}

/** Ends a key with all that it made, and tells of each; how many they were. */
function endKey({ db, bus }: Pick<Needs, "db" | "bus">, userId: string, id: string, ip: string): number {
  const ended = store.listWithMade(db, userId, id);
  store.deleteKey(db, id);
  for (const { id: key_id, name } of ended) bus.emit("key.revoked", { user_id: userId, key_id, name, ip });
  return ended.length;
}

/** Revokes a key at once, and with it what it made. Throws `key_not_found`. */
export function revokeKey(needs: Pick<Needs, "db" | "bus">, userId: string, id: string, ip: string): void {
  needs.db.tx(() => {
    if (endKey(needs, userId, id, ip) === 0) throw fail("key_not_found", { id });
  });
}

/** API keys, which outlast the session that made them. */
export const keysWay = (needs: Pick<Needs, "db" | "bus">): LastingWay => ({
  name: "keys",
  count: (userId) => store.listKeys(needs.db, userId).length,
  endAllOf: (userId, { ip, spare_device_id }) =>
    store
      .listKeys(needs.db, userId)
      // What a key made ends with it.
      .filter(({ parent_key_id }) => parent_key_id === null)
      .filter(({ parent_device_id }) => spare_device_id === null || parent_device_id !== spare_device_id)
      .reduce((count, { id }) => count + endKey(needs, userId, id, ip), 0),
  endMadeBy(deviceId, ip) {
    for (const { user_id, id } of store.listKeysOfDevice(needs.db, deviceId)) endKey(needs, user_id, id, ip);
  },
});

/** The row behind the text of a key: signature right, known, not expired; else null. Notes its use once a minute. */
export function checkKey(needs: Needs, text: string): store.KeyRow | null {
  if (!KEY_PATTERN.test(text)) return null;
  const secret = text.slice(KEY_PREFIX.length, KEY_PREFIX.length + SECRET_LENGTH);
  const signature = text.slice(KEY_PREFIX.length + SECRET_LENGTH);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(needs, secret)))) return null;
  const row = store.findKeyByHash(needs.db, sha256Hex(secret));
  const now = needs.clock.now();
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return null;
  // The distance counts, not the order: wall time may have been set back since.
  if (row.last_used_at === null || Math.abs(now - row.last_used_at) >= TOUCH_MS)
    tryWrite(needs.log, "last use of an API key", () => store.touchKey(needs.db, row.id, now));
  return row;
}
