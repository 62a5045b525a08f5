/**
 * A MinIO as far as bringing its objects over needs one: its data folder, and its answers to signed questions. As a program it is
 * started as MinIO is: `fake-minio.ts server DATA --address 127.0.0.1:PORT`.
 */
import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const OWN = ".minio.sys";
const PART = 5 * 1024 * 1024;

export interface StoredMeta {
  etag: string;
  /** Sizes of parts of one that came in several. */
  parts: number[] | null;
  headers: Record<string, string>;
  tags: Record<string, string>;
  modified: string;
}

export interface PutOptions {
  headers?: Record<string, string>;
  tags?: Record<string, string>;
  /** It came in parts of 5 MiB. */
  isInParts?: boolean;
  modified?: string;
}

/** The data folder of a MinIO. */
export interface MinioData {
  folder: string;
  makeBucket(name: string, about?: Record<string, string>): void;
  put(bucket: string, key: string, bytes: Uint8Array | string, options?: PutOptions): StoredMeta;
  remove(bucket: string, key: string): void;
  /** Changes bytes on disk without telling anybody, as a failing disk does. */
  damage(bucket: string, key: string): void;
}

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const placeOf = (folder: string, bucket: string, key: string) => join(folder, bucket, encodeURIComponent(key));

export function createMinioData(folder: string): MinioData {
  mkdirSync(join(folder, OWN), { recursive: true });
  writeFileSync(join(folder, OWN, "format.json"), '{"version":"1","format":"xl-single"}');
  return {
    folder,
    makeBucket(name, about = {}) {
      mkdirSync(join(folder, name), { recursive: true });
      mkdirSync(join(folder, OWN, name), { recursive: true });
      for (const [what, text] of Object.entries(about)) writeFileSync(join(folder, OWN, name, what), text);
    },
    put(bucket, key, given, { headers = {}, tags = {}, isInParts = false, modified } = {}) {
      const bytes = Buffer.from(given);
      const pieces = [];
      for (let at = 0; isInParts && at < bytes.length; at += PART) pieces.push(bytes.subarray(at, at + PART));
      const sums = Buffer.concat(pieces.map((piece) => Buffer.from(md5(piece), "hex")));
      const meta: StoredMeta = {
        etag: isInParts ? `${md5(sums)}-${pieces.length}` : md5(bytes),
        parts: isInParts ? pieces.map(({ length }) => length) : null,
        headers,
        tags,
        modified: modified ?? "Thu, 01 Jan 2026 00:00:00 GMT",
      };
      const place = placeOf(folder, bucket, key);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "part.1"), bytes);
      writeFileSync(join(place, "xl.meta"), JSON.stringify(meta));
      return meta;
    },
    remove: (bucket, key) => rmSync(placeOf(folder, bucket, key), { recursive: true }),
    damage(bucket, key) {
      const path = join(placeOf(folder, bucket, key), "part.1");
      const bytes = readFileSync(path);
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
  };
}

/** Writes the environment of one that listens on that port, where a node looks for it in its data folder. */
export function writeMinioEnv(dataDir: string, key: { user: string; password: string }, port: number): void {
  mkdirSync(join(dataDir, "minio"), { recursive: true });
  const lines = [
    `MINIO_ROOT_USER=${key.user}`,
    `MINIO_ROOT_PASSWORD="${key.password}"`,
    `MINIO_OPTS="--address :${port}"`,
  ];
  writeFileSync(join(dataDir, "minio", "minio.env"), `${lines.join("\n")}\n`);
}

export interface MinioServer {
  url: string;
  port: number;
  /** Objects that cannot be read, `bucket/key`, and with which status. */
  failing: Map<string, number>;
  /** Objects whose answers end in the middle. */
  torn: Set<string>;
  /** Called before each answer. */
  before: ((method: string, path: string) => void | Promise<void>) | null;
  requests: string[];
  close(): Promise<void>;
}

const hmac = (key: Buffer | string, text: string) => createHmac("sha256", key).update(text).digest();
const escapeText = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const queryEscape = (text: string) => encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%2F", "/");

/** Whether the signature of a request is that of the one key there is. */
function isSigned(request: IncomingMessage, url: URL, user: string, password: string): boolean {
  const { authorization = "" } = request.headers;
  const [, scope = "", names = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(authorization) ?? [];
  const [id, day = "", region = ""] = scope.split("/");
  const lines = names.split(";").map((name) => `${name}:${request.headers[name] ?? ""}\n`);
  const path = (request.url ?? "").split("?", 1)[0];
  const canonical = [
    request.method,
    path,
    url.search.slice(1),
    lines.join(""),
    names,
    request.headers["x-amz-content-sha256"],
  ];
  const sum = createHash("sha256").update(canonical.join("\n")).digest("hex");
  const key = hmac(hmac(hmac(hmac(`AWS4${password}`, day), region), "s3"), "aws4_request");
  const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope.slice(scope.indexOf("/") + 1), sum].join("\n");
  return id === user && hmac(key, text).toString("hex") === signature;
}

export async function serveMinio(
  folder: string,
  { user, password, port = 0 }: { user: string; password: string; port?: number },
): Promise<MinioServer> {
  const failing: MinioServer["failing"] = new Map();
  const torn: MinioServer["torn"] = new Set();
  const requests: string[] = [];
  const own: { before: MinioServer["before"] } = { before: null };

  const keysOf = (bucket: string) =>
    readdirSync(join(folder, bucket))
      .map(decodeURIComponent)
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const metaOf = (bucket: string, key: string): StoredMeta =>
    JSON.parse(readFileSync(join(placeOf(folder, bucket, key), "xl.meta"), "utf8"));

  function list(bucket: string, after: string): string {
    const keys = keysOf(bucket).filter((key) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
    const contents = keys.slice(0, 1000).map((key) => {
      const { etag } = metaOf(bucket, key);
      const { size } = statSync(join(placeOf(folder, bucket, key), "part.1"));
      return `<Contents><Key>${escapeText(queryEscape(key))}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&#34;${etag}&#34;</ETag><Size>${size}</Size></Contents>`;
    });
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${keys.length > 1000}</IsTruncated>${contents.join("")}</ListBucketResult>`;
  }

  function refuse(response: ServerResponse, status: number, code: string): void {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<Error><Code>${code}</Code><Message>because ${code}</Message></Error>`);
  }

  function answerObject(method: string, bucket: string, key: string, query: URLSearchParams, response: ServerResponse) {
    if (!existsSync(placeOf(folder, bucket, key))) return refuse(response, 404, "NoSuchKey");
    const status = failing.get(`${bucket}/${key}`);
    if (status !== undefined && method === "GET") return refuse(response, status, "InternalError");
    const meta = metaOf(bucket, key);
    if (query.has("tagging")) {
      const tags = Object.entries(meta.tags).map(
        ([name, value]) => `<Tag><Key>${name}</Key><Value>${value}</Value></Tag>`,
      );
      return response.end(`<Tagging><TagSet>${tags.join("")}</TagSet></Tagging>`);
    }
    const bytes = readFileSync(join(placeOf(folder, bucket, key), "part.1"));
    const isPart = query.has("partNumber") && meta.parts !== null;
    const tagged = Object.keys(meta.tags).length;
    response.writeHead(isPart ? 206 : 200, {
      ...meta.headers,
      etag: `"${meta.etag}"`,
      "last-modified": meta.modified,
      "content-length": String(isPart ? meta.parts?.[0] : bytes.length),
      ...(isPart ? { "x-amz-mp-parts-count": String(meta.parts?.length) } : {}),
      ...(tagged > 0 ? { "x-amz-tagging-count": String(tagged) } : {}),
    });
    if (method === "HEAD") return response.end();
    if (!torn.has(`${bucket}/${key}`)) return response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", "http://minio");
    const method = request.method ?? "GET";
    const [bucket = "", ...rest] = decodeURIComponent((request.url ?? "/").split("?", 1)[0] ?? "")
      .slice(1)
      .split("/");
    requests.push(`${method} ${bucket}/${rest.join("/")}${url.search}`);
    await own.before?.(method, `${bucket}/${rest.join("/")}`);
    if (!isSigned(request, url, user, password)) return refuse(response, 403, "SignatureDoesNotMatch");
    if (bucket === "") {
      const names = readdirSync(folder).filter((name) => name !== OWN);
      const buckets = names.map(
        (name) => `<Bucket><Name>${name}</Name><CreationDate>2025-12-01T00:00:00.000Z</CreationDate></Bucket>`,
      );
      return response.end(`<ListAllMyBucketsResult><Buckets>${buckets.join("")}</Buckets></ListAllMyBucketsResult>`);
    }
    if (!existsSync(join(folder, bucket))) return refuse(response, 404, "NoSuchBucket");
    const key = rest.join("/");
    if (key !== "") return answerObject(method, bucket, key, url.searchParams, response);
    if (url.searchParams.has("list-type")) return response.end(list(bucket, url.searchParams.get("start-after") ?? ""));
    const about = [...url.searchParams.keys()][0] ?? "";
    const path = join(folder, OWN, bucket, about);
    return existsSync(path) ? response.end(readFileSync(path)) : refuse(response, 404, `NoSuch${about}`);
  }

  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const chosen = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${chosen}`,
    port: chosen,
    failing,
    torn,
    requests,
    get before() {
      return own.before;
    },
    set before(call) {
      own.before = call;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

if (import.meta.main) {
  const [verb, folder = "", , address = ""] = process.argv.slice(2);
  if (verb !== "server") throw new Error("only a server is there");
  const { MINIO_ROOT_USER: user = "", MINIO_ROOT_PASSWORD: password = "" } = process.env;
  await serveMinio(folder, { user, password, port: Number(address.split(":")[1]) });
  process.stdout.write("API: ready\n");
}
