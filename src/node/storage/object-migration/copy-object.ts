import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import type { ObjectStore } from "../object-store/index.ts";
import { DRIVE_BUCKET, etagOfParts, type Facts, MAX_KEY_BYTES, noFacts, receiveObject } from "../objects/index.ts";
import { type Legacy, LegacyRefusal, type Opened } from "./legacy-client.ts";
import type { BucketRow } from "./store.ts";

/** One object cannot be brought over; the others can. */
export class ObjectProblem extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ObjectProblem";
  }
}

/** What copying works with. */
export interface CopyWork {
  objectStore: ObjectStore;
  legacy: Legacy;
}

/** Headers that an object is answered with, and that go along. */
const KEPT = ["cache-control", "content-disposition", "content-encoding", "content-language", "expires"];
const META = "x-amz-meta-";
const SHA256 = /^[0-9a-f]{64}$/;
const MD5 = /^[0-9a-f]{32}$/;
const MD5_OF_PARTS = /^[0-9a-f]{32}-\d{1,5}$/;
const TRIES = 3;

const encoder = new TextEncoder();

/** What the etag of the previous store proves: nothing for objects that it encrypted with keys of others. */
const isProof = ({ headers }: Opened): boolean => headers["x-amz-server-side-encryption"] !== "aws:kms";

function factsOf({ headers }: Opened, tags: Record<string, string>): Facts {
  const kept = KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  const meta = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(META) ? [[name.slice(META.length), value] as const] : [],
  );
  return {
    ...noFacts(headers["content-type"]),
    headers: Object.fromEntries(kept),
    meta: Object.fromEntries(meta),
    tags,
  };
}

/** Sums of bytes that pass by: of all of them, and of each part of that size. */
function createSums(partSize: number | null) {
  const whole = new Bun.CryptoHasher("sha256");
  const parts: string[] = [];
  let part = new Bun.CryptoHasher("md5");
  let left = partSize ?? Number.POSITIVE_INFINITY;
  let size = 0;
  function endPart(): void {
    parts.push(part.digest("hex"));
    part = new Bun.CryptoHasher("md5");
    left = partSize ?? Number.POSITIVE_INFINITY;
  }
  return {
    async *pass(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of bytes) {
        size += piece.length;
        whole.update(piece);
        for (let at = 0; partSize !== null && at < piece.length; ) {
          const taken = piece.subarray(at, at + left);
          part.update(taken);
          at += taken.length;
          left -= taken.length;
          if (left === 0) endPart();
        }
        yield piece;
      }
      if (partSize !== null && left < partSize) endPart();
    },
    size: () => size,
    sha256: () => whole.digest("hex"),
    etagOfParts: () => etagOfParts(parts),
  };
}

async function take({ objectStore, legacy }: CopyWork, bucket: BucketRow, key: string, opened: Opened): Promise<void> {
  const bytes = encoder.encode(key);
  if (bytes.length > MAX_KEY_BYTES) throw new ObjectProblem(`Its key has more than ${MAX_KEY_BYTES} bytes.`);
  const isDrive = bucket.name === DRIVE_BUCKET;
  const isNamedBySum = isDrive && SHA256.test(key);
  const isInParts = MD5_OF_PARTS.test(opened.etag) && isProof(opened);
  const partSize = isInParts ? await legacy.partSize(bucket.name, key) : null;
  const sums = createSums(partSize);
  const tags = opened.headers["x-amz-tagging-count"] === undefined ? {} : await legacy.tags(bucket.name, key);
  const received = await receiveObject({ objectStore }, sums.pass(opened.bytes), [], ({ md5 }) => {
    if (sums.size() !== opened.size)
      throw new ObjectProblem(`It has ${sums.size()} bytes, and the previous store says ${opened.size}.`);
    const isOther =
      (MD5.test(opened.etag) && isProof(opened) && md5 !== opened.etag) ||
      (partSize !== null && sums.etagOfParts() !== opened.etag);
    if (isOther) throw new ObjectProblem("Its bytes are not those of its etag: the previous store has it damaged.");
    if (isNamedBySum && sums.sha256() !== key)
      throw new ObjectProblem("Its bytes are not those of its name: the previous store has it damaged.");
  });
  const { refused } = await objectStore.change({
    kind: "put",
    blob: received.blob,
    bucketId: bucket.bucket_id,
    key: bytes,
    etag: isNamedBySum ? key : opened.etag,
    facts: isNamedBySum ? "{}" : JSON.stringify(factsOf(opened, tags)),
    at: opened.modifiedAt,
    // A content of the Drive that came by itself meanwhile is the same.
    when: isDrive ? { isAbsent: true } : {},
  });
  if (refused !== null && !(isDrive && refused === "precondition_failed"))
    throw new Error(`an object could not be stored: ${refused}`);
}

/** Reads an object that is here once more from the disk. Throws ObjectProblem where it is not what it was. */
export async function readBack(
  { objectStore }: Pick<CopyWork, "objectStore">,
  object: { blobs: string; size: number },
): Promise<void> {
  let size = 0;
  // Each piece is compared with the sum that it was stored with while it is read.
  for await (const piece of await objectStore.open(object, { start: 0, length: object.size })) {
    size += piece.length;
  }
  if (size !== object.size) throw new ObjectProblem(`${size} of its ${object.size} bytes are on disk.`);
}

/**
 * Brings one object over; it is on disk here when this resolves. False where the previous store does not have it any more. Throws
 * ObjectProblem for what is wrong with it alone.
 */
export async function copyObject(work: CopyWork, bucket: BucketRow, key: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    let opened: Opened | null = null;
    try {
      opened = await work.legacy.open(bucket.name, key);
      await take(work, bucket, key, opened);
      return true;
    } catch (error) {
      if (opened === null && error instanceof LegacyRefusal && error.status === 404) return false;
      if (error instanceof LegacyRefusal) throw new ObjectProblem(error.message);
      // An answer that nobody can read, or that ends early again and again, is one object's fault as long as the store answers others.
      if (!(error instanceof OutgoingError)) throw error;
      if (tries < TRIES) continue;
      await work.legacy.listBuckets();
      throw new ObjectProblem(error.message);
    }
  }
}
