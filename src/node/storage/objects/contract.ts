import { type Static, t } from "elysia";
import { answersAs, noContent, takesBytes } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, NullableText } from "../../../kernel/http/schema.ts";
import { admin, user } from "../../access.ts";
import { NewBucketName } from "./bucket-name.ts";

/** The bucket that the Drive keeps its files in. */
export const DRIVE_BUCKET = "service-drive";
/** The component that all of this is part of. */
export const COMPONENT = "objstore";
/** Keys of S3 are at most that many bytes. */
export const MAX_KEY_BYTES = 1_024;
/** Names of buckets are at most 63 letters; an id of 64 stands for one that has no name in a cluster. */
const MAX_NAME = 64;

const Visibility = t.Union([t.Literal("private"), t.Literal("public")]);

export const BucketInput = t.Object(
  { name: NewBucketName, visibility: t.Optional(Visibility) },
  { additionalProperties: false },
);
export type BucketInput = Static<typeof BucketInput>;

export const Bucket = t.Object({
  name: t.String(),
  /** Other names of it; only where a bucket can have several. */
  aliases: t.Optional(t.Array(t.String())),
  /** Null where the place that keeps it does not say. */
  created_at: NullableText,
  size_bytes: t.Union([t.Integer(), t.Null()]),
  object_count: t.Union([t.Integer(), t.Null()]),
  visibility: Visibility,
  /** Where everybody reads its objects; only of public ones. */
  public_url: t.Optional(t.String()),
  public_host: t.Optional(t.String()),
  /** The Drive's own: neither removed nor opened to keys. */
  reserved: t.Boolean(),
});
export type Bucket = Static<typeof Bucket>;

const Count = t.Union([t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), t.Null()]);
const Days = t.Union([t.Integer({ minimum: 1, maximum: 36_500 }), t.Null()]);

/** When objects, or uploads that are not finished, end by themselves. What is null says nothing. */
export const LifecycleRuleInput = t.Object(
  {
    id: t.String({ minLength: 1, maxLength: 255 }),
    enabled: t.Boolean(),
    /** Only keys that begin so; empty for all. */
    prefix: t.String({ maxLength: MAX_KEY_BYTES }),
    /** Only objects with all of these tags. */
    tags: t.Array(
      t.Object(
        { tag: t.String({ minLength: 1, maxLength: 128 }), value: t.String({ maxLength: 256 }) },
        { additionalProperties: false },
      ),
      { maxItems: 10 },
    ),
    /** Only objects larger, or smaller, than that many bytes. */
    larger_than: Count,
    smaller_than: Count,
    /** So many days after it was stored, at the next midnight in UTC. */
    after_days: Days,
    /** On this day, in UTC. */
    on_date: t.Union([t.String({ maxLength: 32 }), t.Null()]),
    /** Uploads that are not finished so many days after they began. */
    upload_days: Days,
  },
  { additionalProperties: false },
);
export type LifecycleRuleInput = Static<typeof LifecycleRuleInput>;

const DocumentName = t.String({
  minLength: 1,
  maxLength: 255,
  pattern: "^[^/\\p{Cc}]+$",
  description: "must be a file name without /",
});

/** What a bucket does besides holding objects. */
export const BucketSettings = t.Object(
  {
    visibility: Visibility,
    /** How it answers as a website while it is public; null for none. */
    website: t.Union([
      t.Object(
        { index: DocumentName, error: t.Union([t.String({ minLength: 1, maxLength: 512 }), t.Null()]) },
        { additionalProperties: false },
      ),
      t.Null(),
    ]),
    rules: t.Array(LifecycleRuleInput, { maxItems: 100 }),
    /** The most that it holds, null for no end; only where a bucket can have such. */
    quota: t.Optional(t.Object({ max_bytes: Count, max_objects: Count }, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
export type BucketSettings = Static<typeof BucketSettings>;

export const Grant = t.Object(
  { bucket: t.String({ maxLength: MAX_NAME }), read: t.Boolean(), write: t.Boolean(), owner: t.Boolean() },
  { additionalProperties: false },
);
export type Grant = Static<typeof Grant>;

export const AccessKeyInput = t.Object(
  {
    name: NameText(64),
    grants: t.Array(Grant, { maxItems: 100 }),
    /** Policies of other stores are refused in words: grants are all there is. */
    policy: t.Optional(t.Unknown()),
  },
  { additionalProperties: false },
);
export type AccessKeyInput = Static<typeof AccessKeyInput>;

const accessKey = {
  access_key: t.String(),
  name: t.String(),
  /** expired: by a day that was set where the key was made. */
  status: t.UnionEnum(["active", "expired"]),
  grants: t.Array(Grant),
};
export const AccessKey = t.Object(accessKey);
export type AccessKey = Static<typeof AccessKey>;

export const NewAccessKey = t.Object({
  ...accessKey,
  /** In this answer only. */
  secret_key: t.String(),
  secret_is_one_shot: t.Literal(true),
});
export type NewAccessKey = Static<typeof NewAccessKey>;

/** What came of using a key where the buckets are. */
export const KeyTest = t.Object({ ok: t.Boolean(), words: t.String(), next_step: NullableText });
export type KeyTest = Static<typeof KeyTest>;

export const EndpointInfo = t.Object({
  /** What clients take as endpoint, as the node itself sees it. */
  url: t.String(),
  /** The same, and where public buckets are read. */
  internal: t.String(),
  web: t.String(),
  /** Whether it is spoken to over TLS, which a proxy before it would do. */
  secure: t.Boolean(),
  host: t.String(),
  port: t.Integer(),
  region: t.String(),
  /** Buckets are the first part of the path, never part of the host name. */
  path_style: t.Boolean(),
  signature: t.Literal("v4"),
  /** Who keeps the objects: this server, a Garage cluster, or another store that speaks S3. */
  kept: t.UnionEnum(["embedded", "garage", "s3"]),
  /** idle: it listens as soon as there is an access key or a public bucket. */
  status: t.UnionEnum(["listening", "idle", "failed"]),
  /** Why it does not listen though it should; null otherwise. */
  problem: NullableText,
});
export type EndpointInfo = Static<typeof EndpointInfo>;

export const StoredObject = t.Object({
  key: t.String(),
  size_bytes: t.Integer(),
  modified_at: t.String(),
  etag: t.String(),
});
export type StoredObject = Static<typeof StoredObject>;

export const ObjectPage = t.Object({
  /** What lies below, one level down, each with the `/` at its end. */
  folders: t.Array(t.String()),
  objects: t.Array(StoredObject),
  /** Says where the next page begins; null on the last. */
  next: NullableText,
});
export type ObjectPage = Static<typeof ObjectPage>;

/** Parts of a file that is sent from the dashboard: below what a request may carry, above the least that a part has. */
export const PART_BYTES = 6 * 1024 * 1024;
/** What a part may have: whoever sends others than were said loses nothing by it, up to here. */
export const PART_LIMIT_BYTES = 8 * 1024 * 1024;
export const MAX_PARTS = 10_000;

export const UploadInput = t.Object(
  {
    key: t.String({ minLength: 1, maxLength: MAX_KEY_BYTES }),
    /** Media type; empty where the browser knows none. */
    type: t.String({ maxLength: 200, pattern: "^[\\x20-\\x7e]*$", description: "must be a media type" }),
  },
  { additionalProperties: false },
);
export type UploadInput = Static<typeof UploadInput>;

export const Upload = t.Object({
  upload_id: t.String(),
  /** How large each part but the last is. */
  part_bytes: t.Integer(),
});
export type Upload = Static<typeof Upload>;

export const UploadPart = t.Object({ number: t.Integer(), etag: t.String() });
export type UploadPart = Static<typeof UploadPart>;

export const UploadEnd = t.Object(
  {
    parts: t.Array(t.Object({ number: t.Integer(), etag: t.String({ maxLength: 64 }) }), { maxItems: MAX_PARTS }),
    /** As it was begun; whoever names it may ask again when the answer was lost. */
    key: t.Optional(t.String({ minLength: 1, maxLength: 1024 })),
  },
  { additionalProperties: false },
);
export type UploadEnd = Static<typeof UploadEnd>;

/** What the check of all stored bytes found. */
export const CheckReport = t.Object({
  /** running: somebody waits for it; underway: it goes on in small steps by itself. */
  status: t.UnionEnum(["never", "underway", "running", "done"]),
  started_at: NullableText,
  finished_at: NullableText,
  checked_bytes: t.Integer(),
  total_bytes: t.Integer(),
  /** Put right in this round. */
  mended: t.Integer(),
  damaged_count: t.Integer(),
  /** The first hundred. */
  damaged: t.Array(
    t.Object({
      found_at: t.String(),
      reason: t.String(),
      /** `bucket/key`, the first five. */
      objects: t.Array(t.String()),
    }),
  ),
});
export type CheckReport = Static<typeof CheckReport>;

/** Whether the bytes of objects lie encrypted on the disk. */
export const Encryption = t.Object({
  on: t.Boolean(),
  /** following: what was stored before is being written anew, the way it is switched. */
  status: t.UnionEnum(["following", "done"]),
  /** Bytes that have followed so far, of all that have to. */
  done_bytes: t.Integer(),
  total_bytes: t.Integer(),
  /** The file with the key, and the folder with the objects. */
  key_file: t.String(),
  folder: t.String(),
  /** Both are on the same disk: whoever takes that has the key, too. */
  key_is_beside: t.Boolean(),
  /** Names the key, and says nothing of it. */
  key_id: t.String(),
});
export type Encryption = Static<typeof Encryption>;

export const fail = defineErrors({
  objstore_policy_unsupported: [
    400,
    "Policies are not supported: what a key may do is said by its grants alone. Leave the policy out and name buckets in grants.",
  ],
  objstore_bucket_not_found: [404, "There is no bucket {bucket}. Load the list again, or make it first."],
  objstore_object_not_found: [
    404,
    "There is no object {key} in {bucket}. It may have been removed; load the list again.",
  ],
  objstore_upload_not_found: [
    404,
    "There is no such upload to {bucket}. It was finished or given up; send the file again.",
  ],
  objstore_upload_incomplete: [409, "Parts of the upload are missing or others than they were. Send the file again."],
  objstore_key_not_found: [404, "There is no access key {key}. It may have been removed; load the list again."],
  key_cannot_open_bucket: [
    403,
    "An API key cannot make {bucket} public: everybody could read it when the key has ended. Leave it private, or sign in and do it there.",
  ],
  objstore_bucket_exists: [409, "There is a bucket {bucket} already. Take another name."],
  objstore_bucket_not_empty: [
    409,
    "The bucket {bucket} still holds objects or unfinished uploads. Remove them first, then the bucket.",
  ],
  objstore_bucket_reserved: [409, "The bucket {bucket} belongs to the Drive. Take another one."],
  objstore_limit: [409, "There can be {limit} {what}. Remove one first."],
});

type ByAdmin = { user_id: string; ip: string };

export type ObjectEvents = {
  "objects.bucket_created": ByAdmin & { bucket: string; visibility: string };
  "objects.bucket_removed": ByAdmin & { bucket: string };
  "objects.bucket_changed": ByAdmin & {
    bucket: string;
    visibility: string;
    before: string;
    website: boolean;
    rules: number;
  };
  /** By the rules of the bucket. */
  "objects.expired": { bucket: string; objects: number; uploads: number };
  /** What a check found: `damaged` cannot be put right. */
  "objects.damaged": { damaged: number; mended: number; object: string | null };
  "objects.encryption_changed": ByAdmin & { on: boolean };
  "objects.key_created": ByAdmin & { access_key: string; name: string };
  "objects.key_removed": ByAdmin & { access_key: string; name: string };
  "objects.uploaded": ByAdmin & { bucket: string; key: string; size_bytes: number };
  "objects.downloaded": ByAdmin & { bucket: string; key: string };
  "objects.removed": ByAdmin & { bucket: string; key: string };
};

const reads = user(null, { component: COMPONENT });
const changes = admin(null, { component: COMPONENT });
/** A key leaves to people whether everybody reads a bucket. */
const bounded = admin(null, { component: COMPONENT, keys: "bounded" });
/** A key of the store outlives whatever made it. */
const byPeople = admin(null, { component: COMPONENT, keys: "never" });
const BucketParams = t.Object({ name: t.String({ maxLength: MAX_NAME }) });
const UploadParams = t.Object({ name: t.String({ maxLength: MAX_NAME }), upload_id: t.String({ maxLength: 64 }) });
/** Left out, it is a key that no object has. */
const Key = t.Object({ key: t.Optional(t.String({ maxLength: MAX_KEY_BYTES })) });

export const objectRoutes = defineRoutes({
  "GET /api/objects/buckets": { access: reads, out: t.Object({ buckets: t.Array(Bucket) }) },
  "POST /api/objects/buckets": { access: bounded, body: BucketInput, out: { 201: Bucket } },
  "DELETE /api/objects/buckets/{name}": { access: changes, params: BucketParams, ...noContent() },
  "GET /api/objects/buckets/{name}/settings": { access: changes, params: BucketParams, out: BucketSettings },
  "PUT /api/objects/buckets/{name}/settings": {
    access: bounded,
    params: BucketParams,
    body: BucketSettings,
    out: BucketSettings,
  },
  "GET /api/objects/buckets/{name}/objects": {
    access: changes,
    params: BucketParams,
    query: t.Object({
      prefix: t.Optional(t.String({ maxLength: MAX_KEY_BYTES })),
      after: t.Optional(t.String({ maxLength: 2 * MAX_KEY_BYTES })),
    }),
    out: ObjectPage,
  },
  "GET /api/objects/buckets/{name}/content": {
    access: changes,
    params: BucketParams,
    query: Key,
    ...answersAs("application/octet-stream"),
  },
  "DELETE /api/objects/buckets/{name}/content": { access: changes, params: BucketParams, query: Key, ...noContent() },
  "POST /api/objects/buckets/{name}/uploads": {
    access: changes,
    params: BucketParams,
    body: UploadInput,
    out: { 201: Upload },
  },
  "PUT /api/objects/buckets/{name}/uploads/{upload_id}": {
    access: changes,
    params: UploadParams,
    query: t.Object({ number: t.Integer({ minimum: 1, maximum: MAX_PARTS }) }),
    parse: "none",
    out: UploadPart,
    ...takesBytes(),
  },
  "POST /api/objects/buckets/{name}/uploads/{upload_id}/finish": {
    access: changes,
    params: UploadParams,
    body: UploadEnd,
    out: StoredObject,
  },
  "DELETE /api/objects/buckets/{name}/uploads/{upload_id}": { access: changes, params: UploadParams, ...noContent() },
  "GET /api/objects/access-keys": { access: reads, out: t.Object({ access_keys: t.Array(AccessKey) }) },
  "POST /api/objects/access-keys": { access: byPeople, body: AccessKeyInput, out: { 201: NewAccessKey } },
  "DELETE /api/objects/access-keys/{key}": {
    access: changes,
    params: t.Object({ key: t.String({ maxLength: 64 }) }),
    ...noContent(),
  },
  "POST /api/objects/access-keys/{key}/test": {
    access: changes,
    params: t.Object({ key: t.String({ maxLength: 64 }) }),
    out: KeyTest,
  },
  "GET /api/objects/encryption": { access: changes, out: Encryption },
  "PUT /api/objects/encryption": {
    access: byPeople,
    body: t.Object({ on: t.Boolean() }, { additionalProperties: false }),
    out: Encryption,
  },
  "GET /api/objects/check": { access: changes, out: CheckReport },
  "POST /api/objects/check": { access: changes, out: { 202: CheckReport } },
  "GET /api/objects/endpoint": { access: reads, out: EndpointInfo },
});
export type ObjectsApi = ApiOf<typeof objectRoutes>;
