import { DRIVE_BUCKET, type Driver, objectsFail } from "../objects/index.ts";
import { wordsOf } from "./failures.ts";
import { GarageRefusal, type KeyInfo } from "./garage-admin.ts";
import { bucketName } from "./garage-buckets.ts";
import { type Cluster, orGone } from "./garage-cluster.ts";
import type { Http } from "./http.ts";
import type { Needs } from "./needs.ts";
import { createS3Client } from "./s3-client.ts";

const MOST_KEYS = 1_000;

type Verbs = Pick<Driver, "listKeys" | "makeKey" | "removeKey" | "testKey">;
type Key = Awaited<ReturnType<Driver["listKeys"]>>[number];
type Grant = Key["grants"][number];

const present = ({ accessKeyId, name, expired, buckets }: KeyInfo): Key => ({
  access_key: accessKeyId,
  name,
  status: expired === true ? "expired" : "active",
  grants: buckets
    .map((bucket) => {
      const { read = false, write = false, owner = false } = bucket.permissions;
      return { bucket: bucketName(bucket), read, write, owner };
    })
    .filter(({ read, write, owner }) => read || write || owner)
    .sort((a, b) => (a.bucket < b.bucket ? -1 : 1)),
});

/** Keys of a Garage cluster, but for the one that the node made for itself. */
export function createGarageKeys(
  { name: place, stored, admin, gate, db, ask, find, note }: Cluster,
  { clock }: Pick<Needs, "clock">,
  http: Http,
): Verbs {
  /** What a new key may do, by the id of the bucket; several lines about one add up. Throws for buckets that no key may have. */
  async function readGrants(grants: readonly Grant[]): Promise<Map<string, Omit<Grant, "bucket">>> {
    const byId = new Map<string, Omit<Grant, "bucket">>();
    for (const { bucket, ...asked } of grants) {
      if (bucket === DRIVE_BUCKET) throw objectsFail("objstore_bucket_reserved", { bucket });
      const { id } = await ask({ bucket }, () => find(bucket));
      const before = byId.get(id) ?? { read: false, write: false, owner: false };
      byId.set(id, {
        read: before.read || asked.read,
        write: before.write || asked.write,
        owner: before.owner || asked.owner,
      });
    }
    return byId;
  }

  /** The key of the node itself is nobody else's. */
  function requireForeign(key: string): void {
    if (key === stored.access_key) throw objectsFail("objstore_key_not_found", { key });
  }

  return {
    listKeys: () =>
      ask({}, async () => {
        const ids = (await admin.listKeys()).map(({ id }) => id).filter((id) => id !== stored.access_key);
        const infos = await Promise.all(ids.slice(0, MOST_KEYS).map((id) => gate(() => admin.key(id).catch(orGone))));
        return infos.flatMap((info) => (info === null ? [] : [present(info)]));
      }),
    async makeKey({ name, grants }, record) {
      const rights = await readGrants(grants);
      return await ask({}, async () => {
        const made = await admin.createKey(name);
        const secret_key = made.secretAccessKey ?? "";
        try {
          if (secret_key === "")
            throw new GarageRefusal("CreateKey", 200, "", "It made a key and did not tell its secret.");
          for (const [id, right] of rights) await admin.allow(id, made.accessKeyId, right);
          const shown = present(await admin.key(made.accessKeyId));
          db.tx(() => record(shown));
          return { ...shown, secret_key, secret_is_one_shot: true };
        } catch (error) {
          await admin.deleteKey(made.accessKeyId).catch(note);
          throw error;
        }
      });
    },
    removeKey: (key, record) =>
      ask({ key }, async () => {
        requireForeign(key);
        const { name } = await admin.key(key);
        await admin.deleteKey(key);
        db.record(() => record(name));
      }),
    testKey: (key) =>
      ask({ key }, async () => {
        requireForeign(key);
        const info = await admin.key(key, { withSecret: true });
        const refused = (words: string, next_step: string) => ({ ok: false, words, next_step });
        const secret = info.secretAccessKey ?? "";
        if (secret === "")
          return refused(
            `${place} does not tell its secret.`,
            "Let the admin token cover GetKeyInfo, or try the key yourself.",
          );
        const bucket = present(info).grants.find(({ read }) => read)?.bucket;
        if (bucket === undefined)
          return refused("It may read no bucket, so there is nothing to try.", "Make a key that may read a bucket.");
        const client = createS3Client({ ...stored, access_key: key, secret_key: secret }, http, clock);
        try {
          const query = { "list-type": "2", "max-keys": "1" };
          await client.ask({ method: "GET", bucket, query, mayRepeat: true });
          return { ok: true, words: `It works: ${bucket} was listed with it through S3.`, next_step: null };
        } catch (error) {
          return refused(
            `The store refused it: ${wordsOf(error)}`,
            "Look at what it may do, and at the log of the cluster.",
          );
        }
      }),
  };
}
