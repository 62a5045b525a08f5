import { AppError } from "../../../../kernel/http/errors.ts";
import type { BucketFacts, BucketSettings } from "../../object-store/index.ts";
import { removeBucket } from "../embedded/buckets.ts";
import {
  type Asked,
  answerEmpty,
  answerXml,
  checkOutcome,
  findOpen,
  makeChange,
  needBucket,
  needSigned,
  xmlDate,
} from "./asked.ts";
import { type Code, S3Problem } from "./problem.ts";
import { branch, leaf, xmlDocument } from "./xml.ts";

/** The buckets that a key may do something with. */
export function listBuckets(asked: Asked): void {
  const { key } = needSigned(asked);
  const buckets = asked.world.objectStore
    .listBuckets()
    .filter(({ id, name }) => key.rights.has(id) && findOpen(asked.world, name) !== null)
    .map(({ name, created_at }) => branch("Bucket", leaf("Name", name), leaf("CreationDate", xmlDate(created_at))));
  const owner = branch("Owner", leaf("ID", key.accessKey), leaf("DisplayName", "orrery"));
  answerXml(asked, xmlDocument("ListAllMyBucketsResult", owner, branch("Buckets", ...buckets)));
}

/** Keys own buckets and make none: who may use a new one is for people to say. */
export function createBucket(asked: Asked): void {
  const { key } = needSigned(asked);
  const bucket = findOpen(asked.world, asked.wire.bucket ?? "");
  if (bucket !== null)
    throw new S3Problem(key.rights.get(bucket.id)?.owner === true ? "BucketAlreadyOwnedByYou" : "BucketAlreadyExists");
  throw new S3Problem(
    "AccessDenied",
    "Access keys make no buckets. Make it under Object storage in the dashboard and grant it to this key.",
  );
}

/** Removes an empty bucket that the key owns. */
export async function deleteBucket(asked: Asked): Promise<void> {
  const { world, wire } = asked;
  const { key } = needSigned(asked);
  const { name } = needBucket(asked, "owner");
  const told = { user_id: key.accessKey, ip: wire.ip, bucket: name };
  try {
    await removeBucket(world, name, () => world.bus.emit("objects.bucket_removed", told));
  } catch (error) {
    if (error instanceof AppError && error.code === "objstore_bucket_not_empty") throw new S3Problem("BucketNotEmpty");
    if (error instanceof AppError && error.code === "objstore_bucket_not_found") throw new S3Problem("NoSuchBucket");
    throw error;
  }
  answerEmpty(asked, 204);
}

/** Says that a bucket is there. */
export function headBucket(asked: Asked): void {
  needAny(asked);
  answerEmpty(asked, 200, { "x-amz-bucket-region": "us-east-1" });
}

/** The one region there is; S3 says it without a word. */
export function getLocation(asked: Asked): void {
  needAny(asked);
  answerXml(asked, xmlDocument("LocationConstraint"));
}

/** Whoever may do anything with a bucket may know that it is there. */
export function needAny(asked: Asked): BucketFacts {
  const { key } = needSigned(asked);
  const bucket = findOpen(asked.world, asked.wire.bucket ?? "");
  if (bucket === null) throw new S3Problem("NoSuchBucket", undefined, { BucketName: asked.wire.bucket ?? "" });
  if (!key.rights.has(bucket.id)) throw new S3Problem("AccessDenied");
  return bucket;
}

/** Answers that keep clients calm who ask for what this store does not have. */
export function answerStub(asked: Asked, what: string): void {
  needAny(asked);
  const answer = ANSWERS[what];
  if (answer === undefined) throw new S3Problem(MISSING[what] ?? "NotImplemented");
  answerXml(asked, answer(asked));
}

/** What is the same for every bucket. */
const ANSWERS: Record<string, ((asked: Asked) => string) | undefined> = {
  versioning: () => xmlDocument("VersioningConfiguration"),
  acl: ownAcl,
  logging: () => xmlDocument("BucketLoggingStatus"),
  accelerate: () => xmlDocument("AccelerateConfiguration"),
  notification: () => xmlDocument("NotificationConfiguration"),
  requestPayment: () => xmlDocument("RequestPaymentConfiguration", leaf("Payer", "BucketOwner")),
  ownershipControls: () =>
    xmlDocument("OwnershipControls", branch("Rule", leaf("ObjectOwnership", "BucketOwnerEnforced"))),
  policyStatus: ({ world, wire }) =>
    xmlDocument("PolicyStatus", leaf("IsPublic", findOpen(world, wire.bucket ?? "")?.visibility === "public")),
};

/** What no bucket has, in the words that S3 has for each. */
const MISSING: Record<string, Code | undefined> = {
  policy: "NoSuchBucketPolicy",
  "object-lock": "ObjectLockConfigurationNotFoundError",
  encryption: "ServerSideEncryptionConfigurationNotFoundError",
  replication: "ReplicationConfigurationNotFoundError",
  publicAccessBlock: "NoSuchPublicAccessBlockConfiguration",
};

/** Questions about a bucket that have the same answer for each. */
export const STUBS: readonly string[] = [...Object.keys(ANSWERS), ...Object.keys(MISSING)];

function ownAcl(): string {
  const grantee =
    '<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser"><ID>orrery</ID><DisplayName>orrery</DisplayName></Grantee>';
  const owner = branch("Owner", leaf("ID", "orrery"), leaf("DisplayName", "orrery"));
  const list = branch("AccessControlList", branch("Grant", grantee, leaf("Permission", "FULL_CONTROL")));
  return xmlDocument("AccessControlPolicy", owner, list);
}

/** Takes `private`, which is what everything is, and refuses the rest. */
export function putAcl(asked: Asked): void {
  needBucket(asked, "owner");
  const acl = asked.wire.headers.get("x-amz-acl");
  if (acl !== undefined && acl !== "private") throw new S3Problem("AccessControlListNotSupported");
  answerEmpty(asked);
}

/** Keeps what a bucket is to do; what is null is gone. */
export async function saveSettings(asked: Asked, set: Omit<BucketSettings, "visibility">): Promise<void> {
  const { id } = needBucket(asked, "owner");
  checkOutcome(await makeChange(asked, "owner", { kind: "setBucket", id, set }));
  answerEmpty(asked, Object.values(set).includes(null) ? 204 : 200);
}
