/**
 * A Garage cluster as far as a node works with one: its admin API of version 2 in the shapes that Garage publishes
 * (doc/api/garage-admin-v2.json of its sources), and S3 by a store of our own.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openS3Node } from "./s3-node.ts";

const TOKEN = "garage-admin-token";

interface Rights {
  read: boolean;
  write: boolean;
  owner: boolean;
}

interface KeptBucket {
  id: string;
  created: string;
  aliases: string[];
  website: { indexDocument: string; errorDocument: string | null } | null;
  quotas: { maxSize: number | null; maxObjects: number | null };
}

interface KeptKey {
  id: string;
  name: string;
  secret: string;
  created: string;
  expired: boolean;
  /** By the id of the bucket. */
  rights: Map<string, Rights>;
}

class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What questions carry. */
interface Body {
  globalAlias: string;
  name: string;
  bucketId: string;
  accessKeyId: string;
  permissions: Partial<Rights>;
  websiteAccess?: { enabled: boolean; indexDocument?: string; errorDocument?: string };
  quotas?: KeptBucket["quotas"];
}

const noBucket = (id: string) => new Refused(404, "NoSuchBucket", `Bucket not found: ${id}`);
const hex = (bytes: number) => randomBytes(bytes).toString("hex");

/** What tests turn. */
export interface Ways {
  /** What GetClusterHealth says. */
  status: "healthy" | "degraded" | "unavailable";
  servers: number;
  /** A cluster of 1.x knows nothing that begins with /v2/. */
  isOld: boolean;
  /** Endpoints that the token does not cover. */
  closed: Set<string>;
}

export async function openGarage() {
  const s3 = await openS3Node([]);
  const { ctx } = s3.node;
  const buckets = new Map<string, KeptBucket>();
  const keys = new Map<string, KeptKey>();
  const asked: string[] = [];
  const ways: Ways = { status: "healthy", servers: 3, isOld: false, closed: new Set() };

  const storedOf = ({ aliases }: KeptBucket) =>
    ctx.objectStore.listBuckets().find(({ name }) => aliases.includes(name)) ?? null;
  const needBucket = (id: string) => {
    const found = buckets.get(id);
    if (found === undefined) throw noBucket(id);
    return found;
  };
  const needKey = (id: string) => {
    const found = keys.get(id);
    if (found === undefined) throw new Refused(404, "NoSuchAccessKey", `Access key not found: ${id}`);
    return found;
  };

  const bucketInfo = (bucket: KeptBucket) => ({
    id: bucket.id,
    created: bucket.created,
    globalAliases: bucket.aliases,
    websiteAccess: bucket.website !== null,
    websiteConfig: bucket.website,
    keys: [...keys.values()]
      .filter(({ rights }) => rights.has(bucket.id))
      .map(({ id, name, rights }) => ({
        accessKeyId: id,
        name,
        permissions: rights.get(bucket.id),
        bucketLocalAliases: [],
      })),
    objects: storedOf(bucket)?.object_count ?? 0,
    bytes: storedOf(bucket)?.size_bytes ?? 0,
    unfinishedUploads: 0,
    unfinishedMultipartUploads: 0,
    unfinishedMultipartUploadParts: 0,
    unfinishedMultipartUploadBytes: 0,
    quotas: bucket.quotas,
  });

  const keyInfo = (key: KeptKey, isSecretShown: boolean) => ({
    accessKeyId: key.id,
    created: key.created,
    name: key.name,
    expiration: null,
    expired: key.expired,
    ...(isSecretShown ? { secretAccessKey: key.secret } : {}),
    permissions: { createBucket: false },
    buckets: [...key.rights].map(([id, permissions]) => ({
      id,
      globalAliases: needBucket(id).aliases,
      localAliases: [],
      permissions,
    })),
  });

  /** Lets the S3 half know what a key may do. */
  function writeRights({ id, rights }: KeptKey): void {
    const { db } = ctx;
    db.tx(() => {
      db.raw.query("DELETE FROM object_grants WHERE access_key = ?").run(id);
      for (const [bucketId, { read, write, owner }] of rights) {
        const stored = storedOf(needBucket(bucketId));
        if (stored === null) continue;
        db.raw
          .query("INSERT INTO object_grants VALUES (?, ?, ?, ?, ?)")
          .run(id, stored.id, Number(read), Number(write), Number(owner));
      }
    });
    ctx.objects.refresh();
  }

  const now = () => new Date(s3.node.clock.now()).toISOString();

  async function answer(endpoint: string, query: URLSearchParams, body: Body): Promise<unknown> {
    switch (endpoint) {
      case "GET GetClusterHealth":
        return {
          status: ways.status,
          knownNodes: ways.servers,
          connectedNodes: ways.servers,
          storageNodes: ways.servers,
          storageNodesOk: ways.status === "healthy" ? ways.servers : ways.servers - 1,
          partitions: 256,
          partitionsQuorum: ways.status === "unavailable" ? 100 : 256,
          partitionsAllOk: ways.status === "healthy" ? 256 : 100,
        };
      case "GET ListBuckets":
        return [...buckets.values()].map(({ id, created, aliases }) => ({
          id,
          created,
          globalAliases: aliases,
          localAliases: [],
        }));
      case "GET GetBucketInfo": {
        const alias = query.get("globalAlias");
        if (alias === null) return bucketInfo(needBucket(query.get("id") ?? ""));
        const found = [...buckets.values()].find(({ aliases }) => aliases.includes(alias));
        if (found === undefined) throw noBucket(alias);
        return bucketInfo(found);
      }
      case "POST CreateBucket": {
        const name = body.globalAlias;
        if ([...buckets.values()].some(({ aliases }) => aliases.includes(name)))
          throw new Refused(409, "BucketAlreadyExists", "Bucket already exists");
        await s3.node.call("POST /api/objects/buckets", { as: "admin", body: { name } });
        const quotas = { maxSize: null, maxObjects: null };
        const made: KeptBucket = { id: hex(32), created: now(), aliases: [name], website: null, quotas };
        buckets.set(made.id, made);
        return bucketInfo(made);
      }
      case "POST UpdateBucket": {
        const bucket = needBucket(query.get("id") ?? "");
        const { websiteAccess, quotas } = body;
        if (websiteAccess?.enabled === true && websiteAccess.indexDocument === undefined)
          throw new Refused(
            400,
            "InvalidRequest",
            "Bad request: Please specify indexDocument when enabling website access.",
          );
        if (websiteAccess !== undefined) {
          const { enabled, indexDocument = "", errorDocument = null } = websiteAccess;
          bucket.website = enabled ? { indexDocument, errorDocument } : null;
        }
        if (quotas !== undefined) bucket.quotas = quotas;
        return bucketInfo(bucket);
      }
      case "POST DeleteBucket": {
        const bucket = needBucket(query.get("id") ?? "");
        const stored = storedOf(bucket);
        if (stored !== null) {
          const { status } = await s3.node.call(`DELETE /api/objects/buckets/${stored.name}`, { as: "admin" });
          if (status === 409) throw new Refused(409, "BucketNotEmpty", "Tried to delete a non-empty bucket");
        }
        for (const { rights } of keys.values()) rights.delete(bucket.id);
        buckets.delete(bucket.id);
        return null;
      }
      case "GET ListKeys":
        return [...keys.values()].map(({ id, name, created, expired }) => ({
          id,
          name,
          created,
          expiration: null,
          expired,
        }));
      case "GET GetKeyInfo":
        return keyInfo(needKey(query.get("id") ?? ""), query.get("showSecretKey") === "true");
      case "POST CreateKey": {
        const key = { id: `GK${hex(12)}`, name: body.name, secret: hex(32), created: now(), expired: false };
        const made: KeptKey = { ...key, rights: new Map() };
        keys.set(made.id, made);
        ctx.db.tx(() =>
          ctx.objects.adoptKey({ access_key: made.id, secret_key: made.secret, name: made.name, buckets: [] }),
        );
        ctx.objects.refresh();
        return keyInfo(made, true);
      }
      case "POST DeleteKey": {
        const { id } = needKey(query.get("id") ?? "");
        keys.delete(id);
        ctx.db.raw.query("DELETE FROM object_keys WHERE access_key = ?").run(id);
        ctx.objects.refresh();
        return null;
      }
      case "POST AllowBucketKey": {
        const bucket = needBucket(body.bucketId);
        const key = needKey(body.accessKeyId);
        const before = key.rights.get(bucket.id) ?? { read: false, write: false, owner: false };
        const { read = false, write = false, owner = false } = body.permissions;
        key.rights.set(bucket.id, {
          read: before.read || read,
          write: before.write || write,
          owner: before.owner || owner,
        });
        writeRights(key);
        return bucketInfo(bucket);
      }
      default:
        throw new Refused(400, "InvalidRequest", `Bad request: Unknown API endpoint: ${endpoint}`);
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://garage");
    const name = pathname.replace(/^\/v2\//, "");
    asked.push(name);
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(body === null ? "" : JSON.stringify(body, null, 2));
    };
    try {
      const text = Buffer.concat(await Array.fromAsync(request)).toString();
      if (ways.isOld || !pathname.startsWith("/v2/"))
        throw new Refused(400, "InvalidRequest", `Bad request: Unknown API endpoint: ${request.method} ${pathname}`);
      if (request.headers.authorization !== `Bearer ${TOKEN}`)
        throw new Refused(403, "AccessDenied", "Forbidden: Invalid `Authorization` token");
      if (ways.closed.has(name)) throw new Refused(403, "AccessDenied", "Forbidden: Invalid `Authorization` token");
      send(200, await answer(`${request.method} ${name}`, searchParams, text === "" ? {} : JSON.parse(text)));
    } catch (error) {
      const { status, code, message } =
        error instanceof Refused ? error : new Refused(500, "InternalError", String(error));
      send(status, { code, message, region: "garage", path: pathname });
    }
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const admin_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    place: { kind: "garage", admin_url, admin_token: TOKEN, endpoint: s3.url, region: "garage" },
    ways,
    clock: s3.node.clock,
    keys,
    buckets,
    /** Endpoints in the order in which they were asked. */
    asked,
    /** Somebody else takes all rights from all keys. */
    loseRights() {
      for (const key of keys.values()) {
        key.rights.clear();
        writeRights(key);
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await s3.close();
    },
  };
}
