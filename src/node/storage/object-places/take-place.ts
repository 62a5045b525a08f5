import { hostname } from "node:os";
import { fail } from "./contract.ts";
import { asking, wordsOf } from "./failures.ts";
import { createGarageAdmin } from "./garage-admin.ts";
import type { Http } from "./http.ts";
import type { Needs } from "./needs.ts";
import { type GaragePlace, nameOf, type OuterPlace } from "./places.ts";
import { createS3Client, S3Refusal } from "./s3-client.ts";
import { readBuckets } from "./s3-driver.ts";
import { testPlace } from "./test-place.ts";

const OTHER_CLUSTER =
  "See that the S3 address is of the same cluster, and that the region is the s3_region of its configuration.";

/** Gives the node a key of its own at a cluster, which is taken back where S3 does not know it. */
async function makeKey(place: GaragePlace, http: Http, { clock, log }: Needs): Promise<GaragePlace> {
  const admin = createGarageAdmin(place.admin_url, place.admin_token, http);
  const { accessKeyId, secretAccessKey } = await asking(nameOf(place), {}, () =>
    admin.createKey(`Orrery ${hostname()}`),
  );
  const made = { ...place, access_key: accessKeyId, secret_key: secretAccessKey ?? "" };
  try {
    await readBuckets(createS3Client(made, http, clock));
    return made;
  } catch (error) {
    await admin
      .deleteKey(accessKeyId)
      .catch((failure: unknown) =>
        log.warn("a key that cannot be used stays at a Garage cluster", { key: accessKeyId, reason: wordsOf(failure) }),
      );
    throw fail("objstore_place_unfit", {
      reason: `S3 does not take a new key: ${wordsOf(error)}`,
      next_step: OTHER_CLUSTER,
    });
  }
}

/** Whether S3 at a cluster takes the key that the node made there before. */
async function isTaken(place: GaragePlace, http: Http, { clock }: Needs): Promise<boolean> {
  if (place.access_key === "") return false;
  try {
    await readBuckets(createS3Client(place, http, clock));
    return true;
  } catch (error) {
    if (error instanceof S3Refusal) return false;
    throw error;
  }
}

/** A place that was asked and keeps objects for this node, with what opens it. Throws `objstore_place_unfit`. */
export async function takePlace(place: OuterPlace, http: Http, needs: Needs): Promise<OuterPlace> {
  const { ok, words, next_step } = await testPlace(place, http, needs.clock);
  if (!ok) throw fail("objstore_place_unfit", { reason: words, next_step: next_step ?? "" });
  if (place.kind === "s3") return place;
  const isKept = await asking(nameOf(place), {}, () => isTaken(place, http, needs));
  return isKept ? place : await makeKey(place, http, needs);
}
