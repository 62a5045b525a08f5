import { kernelFail } from "../../../../kernel/http/errors.ts";
import { type BucketSettings, fail } from "../contract.ts";
import type { BucketBefore } from "../driver.ts";
import { readLifecycle } from "../lifecycle/rules.ts";
import type { Local } from "../own.ts";
import { presentRule, readRules } from "../rules-input.ts";
import { readWebsite } from "../website.ts";
import { getOpenBucket } from "./buckets.ts";

const visibilityOf = (text: string) => (text === "public" ? "public" : "private");

/** Who reads a bucket, how it answers as a website, and when its objects end. Throws `objstore_bucket_not_found`. */
export function getSettings(own: Local, name: string): BucketSettings {
  const { visibility, website, lifecycle } = getOpenBucket(own, name);
  return {
    visibility: visibilityOf(visibility),
    website: readWebsite(website),
    rules: readLifecycle(lifecycle).map(presentRule),
  };
}

/** Replaces them, all at once. Throws `objstore_bucket_not_found`, `invalid_request`. */
export async function putSettings(own: Local, name: string, given: BucketSettings): Promise<BucketBefore> {
  const { id, visibility: before } = getOpenBucket(own, name);
  if (given.quota !== undefined)
    throw kernelFail("invalid_request", {
      field: "quota",
      reason: "must be left out: buckets of this server have none",
    });
  const rules = readRules(given.rules);
  const set = {
    visibility: given.visibility,
    website: given.website === null ? null : JSON.stringify(given.website),
    lifecycle: rules.length === 0 ? null : JSON.stringify(rules),
  };
  if ((await own.objectStore.change({ kind: "setBucket", id, set })).refused !== null)
    throw fail("objstore_bucket_not_found", { bucket: name });
  return { visibility: visibilityOf(before) };
}
