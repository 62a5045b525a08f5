import { toIso } from "../../../lib/clock.ts";
import { DRIVE_BUCKET, type Driver, rulesDocument, rulesIn } from "../objects/index.ts";
import { fail } from "./contract.ts";
import type { BucketChange, BucketInfo } from "./garage-admin.ts";
import { type Cluster, orGone } from "./garage-cluster.ts";
import { S3Refusal } from "./s3-client.ts";

const MOST_BUCKETS = 1_000;
/** Garage shows nothing to everybody but a website, and a website has an index. */
const USUAL_INDEX = "index.html";
const LIFECYCLE = { query: { lifecycle: "" }, mayRepeat: true };

type Bucket = Awaited<ReturnType<Driver["listBuckets"]>>[number];
type Settings = Awaited<ReturnType<Driver["getSettings"]>>;
type Verbs = Pick<Driver, "listBuckets" | "makeBucket" | "removeBucket" | "getSettings" | "putSettings">;

/** What a bucket is called here: the first of the names that all keys share, else its id, which Garage takes as a name. */
export const bucketName = ({ id, globalAliases }: Pick<BucketInfo, "id" | "globalAliases">): string =>
  [...globalAliases].sort()[0] ?? id;

const visibilityOf = ({ websiteAccess }: BucketInfo): Bucket["visibility"] => (websiteAccess ? "public" : "private");

function present(info: BucketInfo): Bucket {
  const name = bucketName(info);
  const made = Date.parse(info.created ?? "");
  const aliases = info.globalAliases.filter((alias) => alias !== name).sort();
  return {
    name,
    ...(aliases.length === 0 ? {} : { aliases }),
    created_at: Number.isNaN(made) ? null : toIso(made),
    size_bytes: info.bytes,
    object_count: info.objects,
    visibility: visibilityOf(info),
    reserved: info.globalAliases.includes(DRIVE_BUCKET),
  };
}

async function readRules({ name, client }: Cluster, bucket: string): Promise<Settings["rules"]> {
  try {
    const reply = await client.open({ method: "GET", bucket, ...LIFECYCLE });
    const rules = await rulesIn(Buffer.concat(await Array.fromAsync(client.bytesOf(reply))).toString("utf8"));
    if (rules !== null) return rules;
    const reason = "it has rules of a kind that is not shown here. Change them with a program that speaks S3.";
    throw fail("objstore_place_cannot", { what: "Settings of this bucket", place: name, reason });
  } catch (error) {
    // Garage says that there are none with 404 and nothing else.
    if (error instanceof S3Refusal && error.status === 404 && error.code !== "NoSuchBucket") return [];
    throw error;
  }
}

async function writeRules({ client }: Cluster, bucket: string, rules: Settings["rules"]): Promise<void> {
  if (rules.length === 0) await client.tell({ method: "DELETE", bucket, ...LIFECYCLE });
  else await client.tell({ method: "PUT", bucket, ...LIFECYCLE, body: await rulesDocument(rules) });
}

/** Who reads a bucket, as Garage has it. Throws `objstore_place_cannot` for what it cannot keep. */
function websiteOf({ name }: Cluster, { visibility, website }: Settings): BucketChange["websiteAccess"] {
  if (visibility === "public") {
    const enabled = { enabled: true, indexDocument: website?.index ?? USUAL_INDEX };
    return website === null || website.error === null ? enabled : { ...enabled, errorDocument: website.error };
  }
  if (website === null) return { enabled: false };
  const reason = "Garage keeps a website only while everybody may read it. Make the bucket public, or leave it out.";
  throw fail("objstore_place_cannot", { what: "A website that nobody may read", place: name, reason });
}

/** Buckets of a Garage cluster. */
export function createGarageBuckets(cluster: Cluster): Verbs {
  const { admin, gate, db, ask, reach, find, forget, note } = cluster;
  return {
    listBuckets: () =>
      ask({}, async () => {
        const all = (await admin.listBuckets()).slice(0, MOST_BUCKETS);
        const infos = await Promise.all(all.map(({ id }) => gate(() => admin.bucket({ id }).catch(orGone))));
        const buckets = infos.flatMap((info) => (info === null ? [] : [present(info)]));
        return buckets.sort((a, b) => (a.name < b.name ? -1 : 1));
      }),
    makeBucket: ({ name, visibility }) =>
      ask({ bucket: name }, async () => {
        const made = await admin.createBucket(name);
        try {
          if (visibility === "private") return present(made);
          const websiteAccess = { enabled: true, indexDocument: USUAL_INDEX };
          return present(await admin.updateBucket(made.id, { websiteAccess }));
        } catch (error) {
          await admin.deleteBucket(made.id).catch(note);
          throw error;
        }
      }),
    async removeBucket(name, record) {
      await ask({ bucket: name }, async () => await admin.deleteBucket((await find(name)).id));
      forget(name);
      db.record(record);
    },
    getSettings: (name) =>
      ask({ bucket: name }, async () => {
        const info = await find(name);
        const { maxSize = null, maxObjects = null } = info.quotas;
        const website = info.websiteConfig ?? null;
        return {
          visibility: visibilityOf(info),
          website: website === null ? null : { index: website.indexDocument, error: website.errorDocument ?? null },
          rules: await reach({ bucket: name }, () => readRules(cluster, name)),
          quota: { max_bytes: maxSize, max_objects: maxObjects },
        };
      }),
    putSettings: (name, given) =>
      ask({ bucket: name }, async () => {
        const before = await find(name);
        const websiteAccess = websiteOf(cluster, given);
        const { quota } = given;
        // What a store is most likely to refuse comes first.
        await reach({ bucket: name }, () => writeRules(cluster, name, given.rules));
        const quotas =
          quota === undefined ? {} : { quotas: { maxSize: quota.max_bytes, maxObjects: quota.max_objects } };
        await admin.updateBucket(before.id, { websiteAccess, ...quotas });
        return { visibility: visibilityOf(before) };
      }),
  };
}
