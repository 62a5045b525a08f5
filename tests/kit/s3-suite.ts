import { expect } from "bun:test";
import { openS3Node, type S3Node } from "./s3-node.ts";

export type Query = Record<string, string>;

const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "");

/** The texts that a pattern finds in an answer. */
export const textsIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => plain(found));

/** What the cases of the S3 protocol work with: one node, three buckets, and short ways to ask. */
export async function openS3Suite() {
  const BUCKET = "suite";
  const own = await openS3Node([BUCKET, "second", "open-suite"]);
  const call = (method: string, options: Parameters<S3Node["s3"]>[2] = {}, bucket = BUCKET) =>
    own.s3(method, bucket, options);
  const put = (key: string, body = "bar", headers: Query = {}) => call("PUT", { key, body, headers });

  async function list(query: Query, bucket = BUCKET) {
    const { text, status, code } = await own.s3("GET", bucket, { query });
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
    /** Takes everything out of the buckets again. */
    async empty() {
      for (const bucket of [BUCKET, "second", "open-suite"]) {
        const { keys } = await list({}, bucket);
        for (const key of keys) await own.s3("DELETE", bucket, { key });
        const { text } = await own.s3("GET", bucket, { query: { uploads: "" } });
        for (const [, key = "", uploadId = ""] of text.matchAll(/<Key>(.*?)<\/Key><UploadId>(.*?)</g))
          await own.s3("DELETE", bucket, { key, query: { uploadId } });
        expect((await list({}, bucket)).keys).toEqual([]);
      }
    },
  };
}
