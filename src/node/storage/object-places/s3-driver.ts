import { toIso } from "../../../lib/clock.ts";
import { DRIVE_BUCKET, type Driver, leaf, objectsFail, xmlDocument } from "../objects/index.ts";
import { fail } from "./contract.ts";
import { createEndpoint } from "./endpoint.ts";
import { asking } from "./failures.ts";
import type { Http } from "./http.ts";
import type { Needs } from "./needs.ts";
import { createObjectsOverS3 } from "./objects-over-s3.ts";
import { nameOf, type S3Place } from "./places.ts";
import { createS3Client, listed, type S3Client, S3Refusal, textIn } from "./s3-client.ts";

/** The region that stores take a new bucket to be in unless they are told another. */
const USUAL_REGION = "us-east-1";

const ALL_BUCKETS = { method: "GET", mayRepeat: true } as const;

/** Names of buckets that the key may see, and when each was made. */
export async function readBuckets(client: S3Client, only: string | null = null) {
  if (only !== null) {
    const query = { "list-type": "2", "max-keys": "1" };
    await client.ask({ method: "GET", bucket: only, query, mayRepeat: true });
    return [{ name: only, created_at: null }];
  }
  return listed(await client.ask(ALL_BUCKETS), "Buckets", "Bucket").map((bucket) => {
    const made = Date.parse(textIn(bucket, "CreationDate"));
    return { name: textIn(bucket, "Name"), created_at: Number.isNaN(made) ? null : toIso(made) };
  });
}

/** Any store that speaks S3, for data only: who may do what there is its own matter. */
export function createS3Driver(needs: Needs, stored: S3Place, http: Http): Driver {
  const place = nameOf(stored);
  const client = createS3Client(stored, http, needs.clock);

  const cannot = (what: string, reason: string) => fail("objstore_place_cannot", { what, place, reason });
  const noSettings = () =>
    cannot("Settings of buckets", "who may read a bucket is said where the store is run, and not through S3.");
  const noKeys = () => fail("objstore_keys_elsewhere", { place });

  /** Of one that the key may not see it is not known; the store says when it is made. */
  async function isThere(bucket: string): Promise<boolean> {
    try {
      await client.tell({ method: "HEAD", bucket, mayRepeat: true });
      return true;
    } catch (error) {
      if (error instanceof S3Refusal) return false;
      throw error;
    }
  }

  return {
    ...createObjectsOverS3(needs, client, (about, ask) => asking(place, about, ask)),
    listBuckets: () =>
      asking(place, {}, async () =>
        (await readBuckets(client, stored.bucket)).map(({ name, created_at }) => ({
          ...{ name, created_at, size_bytes: null, object_count: null },
          ...{ visibility: "private" as const, reserved: name === DRIVE_BUCKET },
        })),
      ),
    async makeBucket({ name, visibility }) {
      if (visibility === "public")
        throw cannot("A public bucket", "make it private here, and public where the store is run.");
      if (stored.bucket !== null)
        throw cannot("Another bucket", `only ${stored.bucket} is shown, since the key was said to list none.`);
      await asking(place, { bucket: name }, async () => {
        // Some stores say that they made what was there before.
        if (await isThere(name)) throw objectsFail("objstore_bucket_exists", { bucket: name });
        const where = xmlDocument("CreateBucketConfiguration", leaf("LocationConstraint", stored.region));
        const body = stored.region === USUAL_REGION ? {} : { body: where };
        await client.tell({ method: "PUT", bucket: name, mayRepeat: false, ...body });
      });
      const made = { name, created_at: toIso(needs.clock.now()), size_bytes: null, object_count: null };
      return { ...made, visibility: "private", reserved: false };
    },
    async removeBucket(name, record) {
      await asking(place, { bucket: name }, () => client.tell({ method: "DELETE", bucket: name, mayRepeat: false }));
      needs.db.record(record);
    },
    getSettings: () => Promise.reject(noSettings()),
    putSettings: () => Promise.reject(noSettings()),
    listKeys: () => Promise.reject(noKeys()),
    makeKey: () => Promise.reject(noKeys()),
    removeKey: () => Promise.reject(noKeys()),
    testKey: () => Promise.reject(noKeys()),
    endpoint: createEndpoint(stored, needs.clock, async () => {
      await asking(place, stored.bucket === null ? {} : { bucket: stored.bucket }, () =>
        readBuckets(client, stored.bucket),
      );
      return null;
    }),
    refresh() {},
  };
}
