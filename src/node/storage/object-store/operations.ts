/** What the writer of the store is asked, and what it answers. */
import type { BucketSet } from "./catalogue-store.ts";

/** Bytes that are new: small ones come along and go into a segment, large ones are on disk as a file of that name already. */
export interface NewBlob {
  id: string;
  size: number;
  crc: number;
  /** Null where they are a file. */
  bytes: Uint8Array | null;
  /** 1 where they are a file that is encrypted. */
  sealed: number;
}

/** On what a change depends; decided where it is made, so that of many who try one wins. */
export interface Condition {
  /** There must be no object under the key. */
  isAbsent?: boolean;
  /** If there is one, its etag must be another. */
  notEtag?: string;
  /** There must be one with this etag; `*` is any. */
  etag?: string;
  /** It must be the one that was stored at this moment. */
  modifiedAt?: number;
  /** It must have been stored in this second, in milliseconds. */
  modifiedIn?: number;
  /** It must have so many bytes. */
  size?: number;
}

/** An object as it is to be: where its bytes are stands apart. */
export interface NewObject {
  bucketId: string;
  key: Uint8Array;
  etag: string;
  facts: string;
  at: number;
  when: Condition;
}

/** What of a bucket can be changed; what is left out stays. */
export type BucketSettings = Partial<BucketSet>;

/** A blob whose bytes are not those that were stored. */
export interface Damaged {
  id: string;
  reason: string;
  /** What was made of it: `bucket/key`, not more than a few. */
  objects: string[];
}

/** What else is said of a part. */
export interface PartExtras {
  sum?: string;
  /**
   * The bytes come behind those that are there already: it must be the part with this etag, null for none, and of what that lies in the first
   * `kept` stay; the new bytes are all that follows them. Left out, they take the place of whatever is there.
   */
  behind?: { etag: string | null; kept: number };
}

/** One change. Each is carried out whole or not at all. */
export type Operation =
  | { kind: "makeBucket"; id: string; name: string; visibility: string; at: number }
  | { kind: "removeBucket"; id: string }
  | { kind: "setBucket"; id: string; set: BucketSettings }
  /** Gives hidden buckets the names that they are for, all at once. Those that have theirs already stay as they are. */
  | { kind: "unveilBuckets"; buckets: { id: string; name: string; set: BucketSettings }[] }
  | ({ kind: "put"; blob: NewBlob | null } & NewObject)
  | ({ kind: "copy"; from: { bucketId: string; key: Uint8Array; etag: string } } & NewObject)
  | { kind: "setFacts"; bucketId: string; key: Uint8Array; etag: string; facts: string }
  | { kind: "remove"; bucketId: string; key: Uint8Array; when: Condition }
  | { kind: "beginUpload"; id: string; bucketId: string; key: Uint8Array; facts: string; at: number }
  | ({ kind: "putPart"; uploadId: string; number: number; etag: string; at: number; blob: NewBlob } & PartExtras)
  | { kind: "completeUpload"; uploadId: string; parts: { number: number; etag: string }[]; object: NewObject }
  | { kind: "abortUpload"; uploadId: string }
  /** Bytes that have come and are not wanted any more. */
  | { kind: "drop"; blob: NewBlob }
  | { kind: "noteCheck"; at: number; state: string; damaged: Damaged[]; sound: string[] }
  /** Stores the bytes of a damaged blob anew, as they were before. */
  | { kind: "mend"; id: string; bytes: Uint8Array }
  /** From now on what is stored is encrypted, or not; what is there already follows with the tidying. */
  | { kind: "setSealing"; on: boolean };

/** Changes after which the buckets are others. */
export const OF_BUCKETS: readonly Operation["kind"][] = ["makeBucket", "removeBucket", "setBucket", "unveilBuckets"];

/** Why a change was not made. */
export type Refusal =
  | "no_bucket"
  | "bucket_exists"
  | "bucket_not_empty"
  | "no_object"
  | "precondition_failed"
  | "no_upload"
  | "invalid_part";

export type Outcome = { refused: null; size: number } | { refused: Refusal };

/** A question to the writer's thread. */
export type Question =
  | { do: "open"; folder: string; at: string; startId: string; key: Uint8Array }
  | { do: "write"; operations: Operation[] }
  /** `mayGrow`: there is room for what is written anew. `garbage`: files that nothing refers to and nobody reads. */
  | { do: "tidy"; mayGrow: boolean; garbage: string[] }
  | { do: "close" };

/** What the writer's thread answers. */
export interface Answer {
  outcomes: Outcome[];
  /** How many rows of the catalogue each of these took. */
  rows: number[];
  /** There is more to tidy. */
  more: boolean;
  /** Bytes or places that were found damaged. */
  problems: string[];
}
