import type { Store } from "../../../kernel/db/store.ts";
import type { Log } from "../../../kernel/log.ts";
import { createGate } from "../../../lib/gate.ts";
import { type About, asking, wordsOf } from "./failures.ts";
import { type BucketInfo, createGarageAdmin, type GarageAdmin, GarageRefusal } from "./garage-admin.ts";
import type { Http } from "./http.ts";
import type { Needs } from "./needs.ts";
import type { Reach } from "./objects-over-s3.ts";
import { type GaragePlace, nameOf } from "./places.ts";
import { createS3Client, type S3Client, S3Refusal } from "./s3-client.ts";

/** Questions to the admin API at a time: a list asks about each bucket. */
const AT_ONCE = 8;
const ID = /^[0-9a-f]{64}$/;

/** A Garage cluster as the driver works with it. */
export interface Cluster {
  /** What people call it. */
  name: string;
  /** Where it speaks S3, with the node's own key. */
  stored: GaragePlace;
  admin: GarageAdmin;
  client: S3Client;
  db: Store;
  /** Lets eight questions go on at a time. */
  gate: ReturnType<typeof createGate>;
  /** Runs a question. Throws what the contract has for what went wrong. */
  ask<Result>(about: About, ask: () => Promise<Result>): Promise<Result>;
  /** Runs a question through S3, on which the node's key first gets all rights on the bucket. */
  reach: Reach;
  /** The bucket of that name or id. Throws GarageRefusal. */
  find(name: string): Promise<BucketInfo>;
  /** The bucket is gone, and one of that name is another. */
  forget(name: string): void;
  /** Says in the log what could not be tidied up; nobody waits for it. */
  note(error: unknown): void;
}

/** Null for what was removed meanwhile, for lists. */
export function orGone(error: unknown): null {
  if (error instanceof GarageRefusal && (error.code === "NoSuchBucket" || error.code === "NoSuchAccessKey"))
    return null;
  throw error;
}

export function createCluster(
  { db, log, clock }: Pick<Needs, "db" | "clock"> & { log: Log },
  stored: GaragePlace,
  http: Http,
): Cluster {
  const name = nameOf(stored);
  const admin = createGarageAdmin(stored.admin_url, stored.admin_token, http);
  const known = new Set<string>();
  const find = (bucket: string) => admin.bucket(ID.test(bucket) ? { id: bucket } : { globalAlias: bucket });

  async function allow(bucket: string): Promise<void> {
    const { id } = await find(bucket);
    await admin.allow(id, stored.access_key, { read: true, write: true, owner: true });
    known.add(bucket);
  }

  return {
    name,
    stored,
    admin,
    client: createS3Client(stored, http, clock),
    db,
    gate: createGate(AT_ONCE),
    ask: (about, ask) => asking(name, about, ask),
    reach: (about, ask) =>
      asking(name, about, async () => {
        const { bucket } = about;
        const wasKnown = known.has(bucket);
        if (!wasKnown) await allow(bucket);
        try {
          return await ask();
        } catch (error) {
          if (!wasKnown || !(error instanceof S3Refusal) || error.code !== "AccessDenied") throw error;
        }
        // Somebody took the right away, or made another bucket under the name.
        await allow(bucket);
        return await ask();
      }),
    find,
    forget: (bucket) => void known.delete(bucket),
    note: (error) =>
      log.warn("something at a Garage cluster could not be tidied up", { place: name, reason: wordsOf(error) }),
  };
}
