import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import { constantTimeEqual, sha256Hex } from "../../../lib/digest.ts";
import { minutes } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import type { Needs, Own } from "./needs.ts";
import { type DropOffRow, findDropOff, markUsed } from "./store.ts";

const KEY = /^odk_([A-Za-z0-9_]{1,60})_([A-Za-z0-9-]{43})$/;
const USED_EVERY_MS = minutes(1);

/** A new key of a place: it says which one, and holds 256 random bits. */
export function makeKey(id: string): { key: string; hash: string } {
  const bits = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  const key = `odk_${id}_${bits.toString("base64url").replaceAll("_", "-")}`;
  return { key, hash: sha256Hex(key) };
}

/** How much one key, and one network without a right one, may ask. */
export interface Gates {
  known: Bucket;
  unknown: Bucket;
}
type Bucket = ReturnType<typeof createBucketLimiter>;

export const createGates = ({ clock, config }: Pick<Needs, "clock" | "config">): Gates => ({
  known: createBucketLimiter(clock, config.session_rate, config.session_rate * 2),
  unknown: createBucketLimiter(clock, config.anonymous_rate, config.anonymous_rate * 2),
});

function findRight({ db, clock }: Own, key: string): DropOffRow | null {
  const row = findDropOff(db, KEY.exec(key)?.[1] ?? "");
  const isRight = constantTimeEqual(sha256Hex(key), row?.key_hash ?? "");
  if (row === null || !isRight) return null;
  return row.expires_at === null || row.expires_at > clock.now() ? row : null;
}

const keyOf = ({ headers }: Pick<Request, "headers">): string =>
  headers.get("authorization")?.replace(/^Bearer /, "") ?? "";

/**
 * Asks again what the key of a request opens, as often as it is called: whoever waits in between may find it renewed, run out or taken
 * back. Throws `drop_key_refused`.
 */
export function holdKey(own: Own, request: Pick<Request, "headers">): () => DropOffRow {
  const key = keyOf(request);
  return () => {
    const row = findRight(own, key);
    if (row === null) throw fail("drop_key_refused");
    return row;
  };
}

/** The place that the key of a request opens. Throws `drop_key_refused`, whatever is wrong with it, and `too_many_requests`. */
export function openByKey(own: Own, { request, ip }: { request: Pick<Request, "headers">; ip: string }): DropOffRow {
  const { db, clock, gates } = own;
  const row = findRight(own, keyOf(request));
  if (row === null) {
    takeOne(gates.unknown, networkOf(ip));
    throw fail("drop_key_refused");
  }
  takeOne(gates.known, row.id);
  const now = clock.now();
  if (now - (row.last_used_at ?? 0) > USED_EVERY_MS) db.tx(() => markUsed(db, row.id, now));
  return row;
}
