import { atMost } from "../../../kernel/http/bounded-body.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { createGate } from "../../../lib/gate.ts";
import {
  branch,
  type Driver,
  etagOfParts,
  leaf,
  MAX_KEY_BYTES,
  objectsFail,
  PART_LIMIT_BYTES,
  type StoredObject,
  type UploadPlace,
  xmlDocument,
} from "../objects/index.ts";
import type { About } from "./failures.ts";
import type { Needs } from "./needs.ts";
import { listed, type S3Client, S3Refusal, textIn } from "./s3-client.ts";
import * as store from "./store.ts";

const PAGE = 200;
/** Parts are held in memory until they are signed: so many at a time. */
const PARTS_AT_ONCE = 4;
const MOST_UPLOADS = 1_000;
/** MD5 of nothing: an object of no parts is put whole. */
const EMPTY_ETAG = "d41d8cd98f00b204e9800998ecf8427e";

/** What a driver does with objects. */
type ObjectVerbs = Pick<
  Driver,
  "browse" | "open" | "remove" | "beginUpload" | "takePart" | "finishUpload" | "cancelUpload"
>;

/** Runs a question about a bucket that the client may work with. Throws the codes of the contract. */
export type Reach = <Result>(about: About & { bucket: string }, ask: () => Promise<Result>) => Promise<Result>;

const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", "%20"));
const unquote = (text: string): string => text.replace(/^"(.*)"$/, "$1");
const momentOf = (text: string, otherwise: number): string => toIso(Date.parse(text) || otherwise);

function checkKey(key: string): string {
  if (Buffer.byteLength(key) <= MAX_KEY_BYTES) return key;
  throw kernelFail("invalid_request", { field: "key", reason: `must have at most ${MAX_KEY_BYTES} bytes` });
}

async function gather(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(atMost(bytes, PART_LIMIT_BYTES)));
}

/** Objects of a store that speaks S3; what is on its way there is noted in the node's database. */
export function createObjectsOverS3(
  { db, ids, clock }: Pick<Needs, "db" | "ids" | "clock">,
  { open, ask, tell, bytesOf }: S3Client,
  reach: Reach,
): ObjectVerbs {
  const gate = createGate(PARTS_AT_ONCE);

  function getUpload({ name, upload_id }: UploadPlace): store.UploadRow {
    const row = store.findUpload(db, upload_id);
    if (row?.bucket !== name) throw objectsFail("objstore_upload_not_found", { bucket: name });
    return row;
  }

  /** Throws S3Refusal 404 where there is none. */
  const head = (bucket: string, key: string) => tell({ method: "HEAD", bucket, key, mayRepeat: true });

  /** Throws S3Refusal 404 where there is none. */
  async function look(bucket: string, key: string): Promise<StoredObject> {
    const stored = await head(bucket, key);
    return {
      key,
      size_bytes: Number(stored["content-length"] ?? 0),
      etag: unquote(stored["etag"] ?? ""),
      modified_at: momentOf(stored["last-modified"] ?? "", clock.now()),
    };
  }

  const find = (bucket: string, key: string): Promise<StoredObject | null> =>
    reach({ bucket }, async () => {
      try {
        return await look(bucket, key);
      } catch (error) {
        if (error instanceof S3Refusal && error.status === 404) return null;
        throw error;
      }
    });

  const abort = ({ bucket, object_key: key, upload_id: uploadId }: store.UploadRow) =>
    tell({ method: "DELETE", bucket, key, query: { uploadId }, mayRepeat: true });

  /** An upload of no parts is none to S3. */
  async function putEmpty(row: store.UploadRow): Promise<void> {
    const headers = row.media_type === "" ? {} : { "content-type": row.media_type };
    await tell({ method: "PUT", bucket: row.bucket, key: row.object_key, headers, body: "", mayRepeat: true });
    await abort(row).catch((error: unknown) => {
      // The object is there; some stores cannot give an upload up.
      if (!(error instanceof S3Refusal)) throw error;
    });
  }

  return {
    browse: (bucket, prefix, after) =>
      reach({ bucket }, async () => {
        const token = Buffer.from(after, "base64url").toString("utf8");
        const asked = { "list-type": "2", "encoding-type": "url", delimiter: "/", "max-keys": String(PAGE), prefix };
        const query = token === "" ? asked : { ...asked, "continuation-token": token };
        const root = await ask({ method: "GET", bucket, query, mayRepeat: true });
        const isEncoded = textIn(root, "EncodingType") === "url";
        const nameIn = (text: string) => (isEncoded ? decode(text) : text);
        const next = textIn(root, "NextContinuationToken");
        return {
          folders: listed(root, "CommonPrefixes").map((element) => nameIn(textIn(element, "Prefix"))),
          objects: listed(root, "Contents").map((element) => ({
            key: nameIn(textIn(element, "Key")),
            size_bytes: Number(textIn(element, "Size")),
            etag: unquote(textIn(element, "ETag")),
            modified_at: momentOf(textIn(element, "LastModified"), clock.now()),
          })),
          next: next === "" ? null : Buffer.from(next).toString("base64url"),
        };
      }),
    async open(bucket, text) {
      const key = checkKey(text);
      if (key === "") throw objectsFail("objstore_object_not_found", { bucket, key });
      return await reach({ bucket, key }, async () => {
        const reply = await open({ method: "GET", bucket, key, mayRepeat: true });
        const size = Number(reply.headers["content-length"] ?? Number.NaN);
        if (Number.isSafeInteger(size)) return { size, bytes: bytesOf(reply) };
        reply.destroy();
        throw new S3Refusal(200, "", "It does not say how large the object is.");
      });
    },
    async remove(bucket, text) {
      const key = checkKey(text);
      if (key === "") throw objectsFail("objstore_object_not_found", { bucket, key });
      await reach({ bucket, key }, async () => {
        // S3 removes what is not there without a word.
        await head(bucket, key);
        await tell({ method: "DELETE", bucket, key, mayRepeat: true });
      });
    },
    async beginUpload(bucket, { key: text, type }) {
      const key = checkKey(text);
      if (store.countUploads(db) >= MOST_UPLOADS)
        throw objectsFail("objstore_limit", { limit: MOST_UPLOADS, what: "uploads on their way" });
      return await reach({ bucket }, async () => {
        const headers = type === "" ? {} : { "content-type": type };
        const root = await ask({ method: "POST", bucket, key, query: { uploads: "" }, headers, mayRepeat: false });
        const row = { id: ids.next("upl"), bucket, object_key: key, upload_id: textIn(root, "UploadId") };
        // Refused to who may not any more: what is begun there ends by the rules of that place.
        db.tx(() => store.insertUpload(db, { ...row, media_type: type, started_at: clock.now() }));
        return row.id;
      });
    },
    async takePart(place, number, bytes) {
      const { bucket, object_key: key, upload_id: uploadId } = getUpload(place);
      return await gate(async () => {
        const body = await gather(bytes);
        return await reach({ bucket }, async () => {
          const query = { uploadId, partNumber: String(number) };
          const { etag = "" } = await tell({ method: "PUT", bucket, key, query, body, mayRepeat: true });
          return { number, etag: unquote(etag) };
        });
      });
    },
    async finishUpload(place, { parts, key: named }) {
      const etagMade = parts.length === 0 ? EMPTY_ETAG : etagOfParts(parts.map(({ etag }) => etag));
      if (store.findUpload(db, place.upload_id) === null) {
        const made = named === undefined ? null : await find(place.name, named);
        if (made?.etag !== etagMade) throw objectsFail("objstore_upload_not_found", { bucket: place.name });
        return { stored: made, isNew: false };
      }
      const row = getUpload(place);
      const { bucket, object_key: key, upload_id: uploadId } = row;
      return await reach({ bucket }, async () => {
        if (parts.length === 0) await putEmpty(row);
        else {
          const lines = parts.map(({ number, etag }) =>
            branch("Part", leaf("PartNumber", number), leaf("ETag", `"${etag}"`)),
          );
          const body = xmlDocument("CompleteMultipartUpload", ...lines);
          await ask({ method: "POST", bucket, key, query: { uploadId }, body, mayRepeat: false }).catch(
            async (error: unknown) => {
              // It may be over there, and that got lost on the way here.
              const isOver = error instanceof S3Refusal && error.code === "NoSuchUpload";
              if (!isOver || (await find(bucket, key))?.etag !== etagMade) throw error;
            },
          );
        }
        store.deleteUpload(db, row.id);
        return { stored: await look(bucket, key), isNew: true };
      });
    },
    async cancelUpload(place) {
      const row = getUpload(place);
      try {
        await reach({ bucket: row.bucket }, () => abort(row));
      } finally {
        // Nobody goes on with it, whatever became of it there; what is left of it there ends by the rules of that place.
        store.deleteUpload(db, row.id);
      }
    },
  };
}
