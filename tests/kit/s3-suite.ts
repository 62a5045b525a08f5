import { readdirSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { openS3Node, type S3Node } from "./s3-node.ts";
import { until } from "./until.ts";

export type Query = Record<string, string>;

/** Cases by their names, each of which begins with empty buckets. */
export type Cases = Record<string, () => Promise<unknown>>;
export type S3Suite = Awaited<ReturnType<typeof openS3Suite>>;

/** How a PUT in two halves is to be made. */
interface Halves {
  /** Added after signing. */
  headers?: Query;
  query?: Query;
  bucket?: string;
  calls?: S3Node["s3"];
}

const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "");

/** The texts that a pattern finds in an answer. */
export const textsIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => plain(found));

/** What the cases of the S3 protocol work with: one node, three buckets, and short ways to ask. */
export async function openS3Suite() {
  const BUCKET = "suite";
  const own = await openS3Node([BUCKET, "second", "open-suite"]);
  /** Buckets that a case may have changed. */
  const touched = new Set<string>();
  const s3: S3Node["s3"] = Object.assign(
    (method: string, bucket: string, options?: Parameters<S3Node["s3"]>[2]) => {
      touched.add(bucket);
      return own.s3(method, bucket, options);
    },
    own.s3,
    {
      presign(method: string, bucket: string, key: string, expiresS: number) {
        touched.add(bucket);
        return own.s3.presign(method, bucket, key, expiresS);
      },
    },
  );
  const call = (method: string, options: Parameters<S3Node["s3"]>[2] = {}, bucket = BUCKET) =>
    s3(method, bucket, options);
  const put = (key: string, body = "bar", headers: Query = {}) => call("PUT", { key, body, headers });

  async function list(query: Query, bucket = BUCKET) {
    const { text, status, code } = await s3("GET", bucket, { query });
    const inside = text.replace(/<CommonPrefixes>.*?<\/CommonPrefixes>/g, "");
    return {
      status,
      code,
      text,
      keys: textsIn(inside, /<Key>([^<]*)<\/Key>/g),
      prefixes: textsIn(text, /<CommonPrefixes><Prefix>([^<]*)<\/Prefix>/g),
      isTruncated: text.includes("<IsTruncated>true</IsTruncated>"),
      next: textsIn(text, /<Next(?:Marker|ContinuationToken)>([^<]*)</g)[0] ?? null,
      count: Number(textsIn(text, /<KeyCount>(\d+)</g)[0] ?? -1),
    };
  }

  return {
    ...own,
    s3,
    BUCKET,
    call,
    put,
    list,
    get: (key: string, headers: Query = {}, query: Query = {}) => call("GET", { key, headers, query }),
    /** Stores an object under each key. */
    async fill(keys: readonly string[]) {
      for (const key of keys) await put(key, key);
    },
    async begin(key: string): Promise<string> {
      const { text } = await call("POST", { key, query: { uploads: "" } });
      return textsIn(text, /<UploadId>(.*?)</g)[0] ?? "";
    },
    async part(key: string, uploadId: string, partNumber: number, body: string): Promise<string> {
      const query = { uploadId, partNumber: String(partNumber) };
      return (await call("PUT", { key, query, body })).headers.get("etag") ?? "";
    },
    complete(key: string, uploadId: string, parts: readonly (readonly [number, string])[]) {
      const lines = parts.map(
        ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${lines.join("")}</CompleteMultipartUpload>`;
      return call("POST", { key, query: { uploadId }, body });
    },
    /** Stores an object of parts, and gives the answer to the end of it. */
    async storeInParts(key: string, bodies: readonly string[], headers: Query = {}, end: Query = {}) {
      const { text } = await call("POST", { key, query: { uploads: "" }, headers });
      const uploadId = textsIn(text, /<UploadId>(.*?)</g)[0] ?? "";
      const parts = [];
      for (const [index, body] of bodies.entries()) {
        const query = { uploadId, partNumber: String(index + 1) };
        const etag = (await call("PUT", { key, query, body })).headers.get("etag");
        parts.push(`<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
      }
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
      return await call("POST", { key, query: { uploadId }, headers: end, body });
    },
    /** Makes an object of copies of another's bytes, and reads it. */
    async copyInParts(source: string, ranges: readonly (string | null)[] = [null]): Promise<string> {
      const { text: begun } = await call("POST", { key: "copied", query: { uploads: "" } });
      const uploadId = textsIn(begun, /<UploadId>(.*?)</g)[0] ?? "";
      const parts = [];
      for (const [index, range] of ranges.entries()) {
        const headers: Query = { "x-amz-copy-source": source };
        if (range !== null) headers["x-amz-copy-source-range"] = `bytes=${range}`;
        const query = { uploadId, partNumber: String(index + 1) };
        const { text } = await call("PUT", { key: "copied", query, headers });
        const etag = textsIn(text, /<ETag>(.*?)</g)[0];
        parts.push(`<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
      }
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
      await call("POST", { key: "copied", query: { uploadId }, body });
      return (await call("GET", { key: "copied" })).text;
    },
    /** Stores `foo` with tags of these lengths. */
    async tag(count: number, nameLength: number, valueLength: number) {
      await put("foo");
      const tags = Array.from({ length: count }, (_, index) => {
        const name = String(index).padStart(nameLength, "k");
        return `<Tag><Key>${name}</Key><Value>${"v".repeat(valueLength)}</Value></Tag>`;
      });
      const body = `<Tagging><TagSet>${tags.join("")}</TagSet></Tagging>`;
      return await call("PUT", { key: "foo", query: { tagging: "" }, body });
    },
    /** Sends a PUT whose body has two halves, and does something else between them. */
    async putInHalves(
      key: string,
      body: string,
      between: () => Promise<unknown>,
      { headers = {}, query = {}, bucket = BUCKET, calls = s3 }: Halves = {},
    ) {
      const { path, headers: signed } = calls.lasting("PUT", bucket, { key, query });
      const { hostname, port } = new URL(own.url);
      const half = Math.ceil(body.length / 2);
      return await new Promise<{ status: number; code: string | null }>((resolve, reject) => {
        const about = { method: "PUT", hostname, port, path };
        const sent = { ...signed, ...headers, "content-length": String(body.length) };
        const request = httpRequest({ ...about, headers: sent }, (response) => {
          let text = "";
          response.on("data", (piece: Buffer) => {
            text += piece.toString();
          });
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, code: /<Code>(.*?)</.exec(text)?.[1] ?? null }),
          );
        });
        request.on("error", reject);
        request.write(body.slice(0, half), () => {
          between().then(() => request.end(body.slice(half)), reject);
        });
      });
    },
    /** Waits until so many bytes of a large upload are on the disk: before, the node may not even have looked at the request. */
    async arrived(bytes: number): Promise<void> {
      const incoming = join(own.node.dataDir, "objects/incoming");
      await until(() => readdirSync(incoming).some((name) => statSync(join(incoming, name)).size > bytes), {
        everyMs: 5,
      });
    },
    /** Takes everything out of the buckets again, and their rules. */
    async empty() {
      for (const bucket of touched) {
        const { keys, status } = await list({}, bucket);
        if (status !== 200) continue;
        await Promise.all(keys.map((key) => own.s3("DELETE", bucket, { key })));
        const { text } = await own.s3("GET", bucket, { query: { uploads: "" } });
        for (const [, key = "", uploadId = ""] of text.matchAll(/<Key>(.*?)<\/Key><UploadId>(.*?)</g))
          await own.s3("DELETE", bucket, { key, query: { uploadId } });
        for (const about of ["cors", "lifecycle", "tagging"])
          await own.s3("DELETE", bucket, { query: { [about]: "" } });
      }
      touched.clear();
    },
  };
}
