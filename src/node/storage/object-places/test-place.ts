import { AppError } from "../../../kernel/http/errors.ts";
import type { PlaceTest } from "./contract.ts";
import { asking, wordsOf } from "./failures.ts";
import { createGarageAdmin } from "./garage-admin.ts";
import { problemOf } from "./garage-driver.ts";
import type { Http } from "./http.ts";
import type { Needs } from "./needs.ts";
import { nameOf, type OuterPlace } from "./places.ts";
import { createS3Client, S3Refusal } from "./s3-client.ts";
import { readBuckets } from "./s3-driver.ts";

const NEXT_STEPS: Record<OuterPlace["kind"], string> = {
  garage:
    "See that both addresses are those of the cluster and reached from this server, and that the admin token is right.",
  s3: "See that the address is reached from this server and that the key is right.",
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Whether something that speaks S3 is there: it has to refuse a key that it cannot know in the words of S3. */
async function knock(place: OuterPlace, http: Http, clock: Needs["clock"]): Promise<void> {
  const stranger = { ...place, access_key: "GK000000000000000000000000", secret_key: "0" };
  try {
    await createS3Client(stranger, http, clock).ask({ method: "GET", mayRepeat: true });
  } catch (error) {
    if (error instanceof S3Refusal && error.code !== "" && error.status === 403) return;
    throw error;
  }
}

async function look(
  place: OuterPlace,
  http: Http,
  clock: Needs["clock"],
): Promise<Pick<PlaceTest, "words" | "warnings">> {
  if (place.kind === "s3") {
    const buckets = await readBuckets(createS3Client(place, http, clock), place.bucket);
    return { words: `It answers, and the key sees ${counted(buckets.length, "bucket")}.`, warnings: [] };
  }
  const admin = createGarageAdmin(place.admin_url, place.admin_token, http);
  const health = await admin.health();
  const problem = problemOf(health);
  if (problem !== null) throw new Error(problem);
  const buckets = await admin.listBuckets();
  await admin.listKeys();
  await knock(place, http, clock);
  const servers = `${health.storageNodesOk} of ${counted(health.storageNodes, "server")}`;
  return {
    words: `The cluster answers with ${servers}, and has ${counted(buckets.length, "bucket")}.`,
    warnings: [
      ...(health.status === "degraded" ? ["Some of its servers are away."] : []),
      ...(health.storageNodes < 3
        ? [
            "It has fewer than three servers: what one of them loses may be lost. This server's own store keeps more on one machine.",
          ]
        : []),
    ],
  };
}

/** Asks a place whether it keeps objects for this node; changes nothing there. */
export async function testPlace(place: OuterPlace, http: Http, clock: Needs["clock"]): Promise<PlaceTest> {
  try {
    const about = place.kind === "s3" && place.bucket !== null ? { bucket: place.bucket } : {};
    const found = await asking(nameOf(place), about, () => look(place, http, clock));
    return { ok: true, ...found, next_step: null };
  } catch (error) {
    // These say what to do themselves.
    const isSaid = error instanceof AppError && error.code !== "objstore_place_refused";
    return { ok: false, words: wordsOf(error), next_step: isSaid ? null : NEXT_STEPS[place.kind], warnings: [] };
  }
}
