import { Value } from "@sinclair/typebox/value";
import { type Static, type TSchema, t } from "elysia";
import { parseJson } from "../../../lib/json.ts";
import { queryS3 } from "../../../lib/sign-s3.ts";
import type { Http } from "./http.ts";

/** The cluster did not do what it was asked. */
export class GarageRefusal extends Error {
  readonly status: number;
  /** As the cluster has it, such as NoSuchBucket; empty where it gave none. */
  readonly code: string;
  /** What was asked, such as CreateBucket. */
  readonly endpoint: string;
  /** It knows no such question: its version is below 2.0, or it is no Garage at all. */
  readonly isTooOld: boolean;

  constructor(endpoint: string, status: number, code: string, message: string, isTooOld = false) {
    super(message);
    this.name = "GarageRefusal";
    this.endpoint = endpoint;
    this.status = status;
    this.code = code;
    this.isTooOld = isTooOld;
  }
}

const Permissions = t.Object({
  read: t.Optional(t.Boolean()),
  write: t.Optional(t.Boolean()),
  owner: t.Optional(t.Boolean()),
});
const nullable = <Schema extends TSchema>(schema: Schema) => t.Optional(t.Union([schema, t.Null()]));

const Health = t.Object({
  /** healthy, degraded or unavailable. */
  status: t.String(),
  storageNodes: t.Integer(),
  storageNodesOk: t.Integer(),
  partitions: t.Integer(),
  partitionsQuorum: t.Integer(),
});
export type Health = Static<typeof Health>;

const Buckets = t.Array(t.Object({ id: t.String(), globalAliases: t.Array(t.String()) }));

const BucketInfo = t.Object({
  id: t.String(),
  /** Since 2.0 in releases. */
  created: nullable(t.String()),
  globalAliases: t.Array(t.String()),
  websiteAccess: t.Boolean(),
  websiteConfig: nullable(t.Object({ indexDocument: t.String(), errorDocument: nullable(t.String()) })),
  objects: t.Integer(),
  bytes: t.Integer(),
  quotas: t.Object({ maxSize: nullable(t.Integer()), maxObjects: nullable(t.Integer()) }),
});
export type BucketInfo = Static<typeof BucketInfo>;

const Keys = t.Array(t.Object({ id: t.String() }));

const KeyInfo = t.Object({
  accessKeyId: t.String(),
  name: t.String(),
  expired: t.Optional(t.Boolean()),
  secretAccessKey: nullable(t.String()),
  buckets: t.Array(t.Object({ id: t.String(), globalAliases: t.Array(t.String()), permissions: Permissions })),
});
export type KeyInfo = Static<typeof KeyInfo>;

/** What of a bucket is changed; the rest stays. */
export interface BucketChange {
  websiteAccess: { enabled: boolean; indexDocument?: string; errorDocument?: string };
  quotas?: { maxSize: number | null; maxObjects: number | null };
}

/** The admin API of a Garage cluster, version 2. Everything throws GarageRefusal, or OutgoingError where nobody answers. */
export interface GarageAdmin {
  health(): Promise<Health>;
  listBuckets(): Promise<Static<typeof Buckets>>;
  /** By the id, or by a name that all keys share. */
  bucket(which: { id: string } | { globalAlias: string }): Promise<BucketInfo>;
  createBucket(globalAlias: string): Promise<BucketInfo>;
  updateBucket(id: string, change: BucketChange): Promise<BucketInfo>;
  /** Only an empty one. All of its names go, and what keys might do with it. */
  deleteBucket(id: string): Promise<void>;
  listKeys(): Promise<Static<typeof Keys>>;
  key(id: string, options?: { withSecret: boolean }): Promise<KeyInfo>;
  createKey(name: string): Promise<KeyInfo>;
  deleteKey(id: string): Promise<void>;
  /** Adds rights; what is false stays as it was. */
  allow(bucketId: string, accessKeyId: string, permissions: Static<typeof Permissions>): Promise<void>;
}

const Refusal = t.Object({ code: t.String(), message: t.String() });

function refusalOf(endpoint: string, status: number, text: string): GarageRefusal {
  const given = parseJson(text);
  if (!Value.Check(Refusal, given))
    return new GarageRefusal(endpoint, status, "", `It answered ${endpoint} with ${status}.`, status === 404);
  // What 1.x says to all that begins with /v2/.
  const isTooOld = (status === 400 || status === 404) && /unknown api endpoint/i.test(given.message);
  return new GarageRefusal(endpoint, status, given.code, given.message.slice(0, 300), isTooOld);
}

/** A client of the admin API at `url`, with the token that opens it. */
export function createGarageAdmin(url: string, token: string, http: Http): GarageAdmin {
  const { origin, pathname } = new URL(url);
  const base = `${pathname.replace(/\/+$/, "")}/v2`;

  async function send(method: "GET" | "POST", endpoint: string, query: Record<string, string>, body?: unknown) {
    const search = queryS3(query);
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const reply = await http.open({
      method,
      url: origin,
      path: `${base}/${endpoint}${search === "" ? "" : `?${search}`}`,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      mayRepeat: method === "GET",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const status = reply.statusCode ?? 0;
    const text = await http.textOf(reply);
    if (status < 200 || status >= 300) throw refusalOf(endpoint, status, text);
    return text;
  }

  async function ask<Schema extends TSchema>(
    schema: Schema,
    ...[method, endpoint, query, body]: Parameters<typeof send>
  ): Promise<Static<Schema>> {
    const given = parseJson(await send(method, endpoint, query, body));
    if (Value.Check(schema, given)) return given;
    throw new GarageRefusal(endpoint, 200, "", `It answered ${endpoint} with something that Garage does not.`);
  }

  return {
    health: () => ask(Health, "GET", "GetClusterHealth", {}),
    listBuckets: () => ask(Buckets, "GET", "ListBuckets", {}),
    bucket: (which) => ask(BucketInfo, "GET", "GetBucketInfo", { ...which }),
    createBucket: (globalAlias) => ask(BucketInfo, "POST", "CreateBucket", {}, { globalAlias }),
    updateBucket: (id, change) => ask(BucketInfo, "POST", "UpdateBucket", { id }, change),
    deleteBucket: async (id) => void (await send("POST", "DeleteBucket", { id })),
    listKeys: () => ask(Keys, "GET", "ListKeys", {}),
    key: (id, { withSecret } = { withSecret: false }) =>
      ask(KeyInfo, "GET", "GetKeyInfo", withSecret ? { id, showSecretKey: "true" } : { id }),
    createKey: (name) => ask(KeyInfo, "POST", "CreateKey", {}, { name }),
    deleteKey: async (id) => void (await send("POST", "DeleteKey", { id })),
    allow: async (bucketId, accessKeyId, permissions) =>
      void (await ask(BucketInfo, "POST", "AllowBucketKey", {}, { bucketId, accessKeyId, permissions })),
  };
}
