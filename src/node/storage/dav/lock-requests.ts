import type { Take } from "../../../kernel/http/body-budget.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import { elementsOf, type XmlElement } from "../../../lib/xml.ts";
import { namesOf } from "./addresses.ts";
import { shownTokens } from "./conditions.ts";
import { fail } from "./contract.ts";
import { countLocks, deleteLock, extendLock, insertLock, type LockRow } from "./lock-store.ts";
import { describeLocks, lockedBy, locksAt, locksBelow, requireUnlocked } from "./locks.ts";
import type { Asked, Needs } from "./needs.ts";
import { XML_TYPE } from "./propfind.ts";
import { namedPlace } from "./put.ts";
import { isDav, readXmlBody } from "./read-body.ts";
import { isThere, keyOf, type Place, resolve, resolveThere } from "./resolve.ts";
import { tag, writeElement } from "./xml-write.ts";

/** Locks that one Drive can have. */
const MAX_LOCKS = 500;
/** Shared locks that may hold for one thing: programs that work on it together. */
const MAX_SHARED = 10;
const MAX_OWNER_BYTES = 1_024;
/** How long a lock lasts that says nothing, and the longest there is: a program that goes on with its work asks again. */
const USUAL_S = hours(1) / seconds(1);
const LONGEST_S = days(1) / seconds(1);

/** The first of the wishes that can be granted, in seconds. */
function timeoutOf(headers: Headers): number {
  for (const wish of headers.get("timeout")?.split(",") ?? []) {
    if (/^infinite$/i.test(wish.trim())) return LONGEST_S;
    const asked = /^second-(\d{1,10})$/i.exec(wish.trim())?.[1];
    if (asked !== undefined) return Math.min(LONGEST_S, Math.max(1, Number(asked)));
  }
  return USUAL_S;
}

function depthOf(headers: Headers): boolean {
  const depth = headers.get("depth")?.trim().toLowerCase() ?? "infinity";
  if (depth !== "0" && depth !== "infinity")
    throw kernelFail("invalid_request", { field: "depth", reason: "must be 0 or infinity" });
  return depth === "infinity";
}

/** What kind of lock is asked for, and by whom. Throws `dav_xml_invalid`. */
function readLockInfo(body: XmlElement): { isShared: boolean; owner: string } {
  const parts = isDav(body, "lockinfo") ? elementsOf(body) : [];
  const kindsIn = (name: string) => parts.filter((part) => isDav(part, name)).flatMap(elementsOf);
  const [scope] = kindsIn("lockscope");
  const isShared = scope !== undefined && isDav(scope, "shared");
  const isWrite = kindsIn("locktype").some((kind) => isDav(kind, "write"));
  if (scope === undefined || !isWrite || (!isShared && !isDav(scope, "exclusive")))
    throw fail("dav_xml_invalid", { reason: "it does not say which lock is asked for" });
  const said = parts.find((part) => isDav(part, "owner"));
  const owner = said === undefined ? "" : writeElement(said);
  if (Buffer.byteLength(owner) > MAX_OWNER_BYTES) throw fail("dav_xml_invalid", { reason: "its owner is too long" });
  return { isShared, owner };
}

function answerWith(
  needs: Needs,
  status: number,
  locks: readonly LockRow[],
  headers: Record<string, string>,
): Response {
  const prop = tag("lockdiscovery", describeLocks(needs, locks));
  const text = `<?xml version="1.0" encoding="utf-8"?>\n<D:prop xmlns:D="DAV:">${prop}</D:prop>\n`;
  return new Response(text, { status, headers: { ...XML_TYPE, ...headers } });
}

/** Makes locks last longer that hold at a place and are shown. Throws `dav_precondition`. */
function refresh(needs: Needs, asked: Asked): Response {
  const { by, headers } = asked;
  return needs.db.tx(() => {
    const place = resolveThere(needs, by.user_id, namesOf(asked.path));
    const shown = shownTokens(needs, asked);
    const held = locksAt(needs, by.user_id, place).filter(({ token }) => shown.has(token));
    if (held.length === 0) throw fail("dav_precondition", { condition: "lock-token-matches-request-uri" });
    const timeout_s = timeoutOf(headers);
    const expires_at = needs.clock.now() + seconds(timeout_s);
    for (const { token } of held) extendLock(needs.db, token, timeout_s, expires_at);
    return answerWith(
      needs,
      200,
      held.map((lock) => ({ ...lock, timeout_s, expires_at })),
      {},
    );
  });
}

/** A token that nobody had before (RFC 4122, version 4). */
function newToken({ ids }: Pick<Needs, "ids">): string {
  const hex = ids.code(32, "0123456789abcdef");
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) % 4] ?? "8";
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Refuses a lock that another one does not go with, or too many. Throws `dav_locked`, `dav_lock_limit`. */
function requireNoConflict(needs: Needs, userId: string, place: Place, isDeep: boolean, isShared: boolean): void {
  const others = [...locksAt(needs, userId, place), ...(isDeep ? locksBelow(needs, userId, place) : [])];
  const conflicts = others.filter(({ is_shared }) => !isShared || is_shared === 0);
  if (conflicts.length > 0) throw lockedBy(needs, "no-conflicting-lock", conflicts);
  if (others.length >= MAX_SHARED) throw fail("dav_lock_limit", { limit: MAX_SHARED });
}

/**
 * Takes a lock, or makes one last longer where no body says which. Where nothing is there, an empty file is made, so that the name is
 * taken. Throws `dav_locked`, `dav_lock_limit`, `dav_precondition`, `dav_xml_invalid`, and what a place may be refused for.
 */
export async function answerLock(needs: Needs, asked: Asked, take: Take): Promise<Response> {
  const { by, headers } = asked;
  const body = await readXmlBody(asked.body, take);
  if (body === null) return refresh(needs, asked);
  const { isShared, owner } = readLockInfo(body);
  const isDeep = depthOf(headers);
  const names = namesOf(asked.path);
  const mayLock = (): Place => {
    const place = resolve(needs, by.user_id, names);
    if (!isThere(place)) namedPlace(place);
    const shown = shownTokens(needs, asked);
    if (!isThere(place)) requireUnlocked(needs, by.user_id, place, shown, { inParent: true });
    requireNoConflict(needs, by.user_id, place, isDeep, isShared);
    if (countLocks(needs.db, { userId: by.user_id, now: needs.clock.now() }) >= MAX_LOCKS)
      throw fail("dav_lock_limit", { limit: MAX_LOCKS });
    return place;
  };
  const before = needs.db.tx(mayLock);
  const isNew = !isThere(before);
  if (isNew) await needs.drive.receive(by, namedPlace(before), nothing(), { check() {}, before: () => void mayLock() });
  return needs.db.tx(() => {
    // Others were busy while the file was made, and it may be gone again.
    const place = mayLock();
    if (!isThere(place)) throw fail("dav_precondition");
    const timeout_s = timeoutOf(headers);
    const lock: LockRow = {
      ...{ token: newToken(needs), user_id: by.user_id, node_id: keyOf(place), owner, timeout_s },
      ...{ is_shared: isShared ? 1 : 0, is_deep: isDeep ? 1 : 0, expires_at: needs.clock.now() + seconds(timeout_s) },
    };
    insertLock(needs.db, lock);
    return answerWith(needs, isNew ? 201 : 200, locksAt(needs, by.user_id, place), { "lock-token": `<${lock.token}>` });
  });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Ends a lock. Throws `dav_not_found`, `dav_lock_elsewhere`, `invalid_request`. */
export function answerUnlock(needs: Needs, asked: Asked): Response {
  const token = /^\s*<([^<>]+)>\s*$/.exec(asked.headers.get("lock-token") ?? "")?.[1];
  if (token === undefined)
    throw kernelFail("invalid_request", { field: "lock-token", reason: "must be the token of a lock in < >" });
  return needs.db.tx(() => {
    const place = resolveThere(needs, asked.by.user_id, namesOf(asked.path));
    const lock = locksAt(needs, asked.by.user_id, place).find((each) => each.token === token);
    if (lock === undefined) throw fail("dav_lock_elsewhere", { condition: "lock-token-matches-request-uri" });
    deleteLock(needs.db, token);
    return new Response(null, { status: 204 });
  });
}
