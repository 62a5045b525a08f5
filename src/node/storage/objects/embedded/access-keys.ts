import { toIso } from "../../../../lib/clock.ts";
import { sealPurpose } from "../access-table.ts";
import { type AccessKey, type AccessKeyInput, fail, type Grant, type NewAccessKey } from "../contract.ts";
import * as store from "../key-store.ts";
import { checkHolds, type Local, requireOpen } from "../own.ts";

const MAX_KEYS = 200;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Every key with what it may do, without its secret. */
export function listAccessKeys({ db, objectStore }: Local): AccessKey[] {
  const names = new Map(objectStore.listBuckets().map(({ id, name }) => [id, name]));
  const grants = Map.groupBy(store.listGrants(db), ({ access_key }) => access_key);
  return store.listKeys(db).map(({ access_key, name }) => ({
    access_key,
    name,
    status: "active",
    grants: (grants.get(access_key) ?? []).flatMap(({ bucket_id, may_read, may_write, is_owner }): Grant[] => {
      const bucket = names.get(bucket_id);
      if (bucket === undefined) return [];
      return [{ bucket, read: may_read === 1, write: may_write === 1, owner: is_owner === 1 }];
    }),
  }));
}

/** Rows for what a new key may do; several lines about a bucket add up. Throws for buckets that no key may have. */
function readGrants({ objectStore }: Local, accessKey: string, grants: readonly Grant[]): store.GrantRow[] {
  const rows = new Map<string, store.GrantRow>();
  for (const { bucket, read, write, owner } of grants) {
    requireOpen(bucket);
    const found = objectStore.findBucket(bucket);
    if (found === null) throw fail("objstore_bucket_not_found", { bucket });
    const before = rows.get(found.id);
    rows.set(found.id, {
      access_key: accessKey,
      bucket_id: found.id,
      may_read: Math.max(Number(read), before?.may_read ?? 0),
      may_write: Math.max(Number(write), before?.may_write ?? 0),
      is_owner: Math.max(Number(owner), before?.is_owner ?? 0),
    });
  }
  return [...rows.values()];
}

/** Makes a key and records it; its secret is in this answer alone. Throws the codes of the contract, and has made nothing then. */
export function makeAccessKey(
  own: Local,
  { name, grants }: Pick<AccessKeyInput, "name" | "grants">,
  record: (key: Pick<AccessKey, "access_key" | "name">) => void,
): NewAccessKey {
  const { db, seal, ids, clock } = own;
  checkHolds(own, { bucket: null });
  const access_key = `OR${ids.code(18, ALPHABET)}`;
  const secret_key = ids.token(30);
  const rows = readGrants(own, access_key, grants);
  db.tx(() => {
    if (store.listKeys(db).length >= MAX_KEYS) throw fail("objstore_limit", { limit: MAX_KEYS, what: "access keys" });
    const secret = seal.seal(sealPurpose(access_key), secret_key);
    store.insertKey(db, { access_key, name, secret, created_at: toIso(clock.now()) });
    for (const row of rows) store.insertGrant(db, row);
    record({ access_key, name });
  });
  own.access.forget();
  const made = listAccessKeys(own).find((key) => key.access_key === access_key);
  return {
    ...(made ?? { access_key, name, status: "active", grants: [] }),
    secret_key,
    secret_is_one_shot: true,
  };
}

/** A key that another store gave, with its own secret. */
export interface ForeignKey {
  access_key: string;
  secret_key: string;
  name: string;
  /** Ids of buckets, which it may read and write. */
  buckets: readonly string[];
}

/** Takes a key over, so that programs go on with what they know; one that is here already stays as it is. Inside a transaction. */
export function adoptKey(
  { db, seal, clock }: Pick<Local, "db" | "seal" | "clock">,
  { access_key, secret_key, name, buckets }: ForeignKey,
): void {
  if (store.findKey(db, access_key) !== null) return;
  const secret = seal.seal(sealPurpose(access_key), secret_key);
  store.insertKey(db, { access_key, name, secret, created_at: toIso(clock.now()) });
  for (const bucket_id of buckets)
    store.insertGrant(db, { access_key, bucket_id, may_read: 1, may_write: 1, is_owner: 0 });
}

/** Ends a key at once, and records it. Throws `objstore_key_not_found`. */
export function removeAccessKey({ db, access }: Local, accessKey: string, record: (name: string) => void): void {
  db.tx(() => {
    const row = store.findKey(db, accessKey);
    if (row === null) throw fail("objstore_key_not_found", { key: accessKey });
    store.deleteKey(db, accessKey);
    record(row.name);
  });
  access.forget();
}
