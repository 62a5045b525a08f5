import type {
  AccessKey,
  AccessKeyInput,
  Bucket,
  BucketInput,
  BucketSettings,
  EndpointInfo,
  KeyTest,
  NewAccessKey,
  ObjectPage,
  StoredObject,
  UploadEnd,
  UploadInput,
  UploadPart,
} from "./contract.ts";

/** An upload that is not finished. */
export interface UploadPlace {
  name: string;
  upload_id: string;
}

/** An object that is being read. */
export interface OpenedObject {
  /** Bytes. */
  size: number;
  bytes: AsyncGenerator<Uint8Array, void, undefined>;
}

/** What a bucket was before it was changed. */
export interface BucketBefore {
  visibility: Bucket["visibility"];
}

/**
 * What keeps buckets, objects and keys: the store of this server or one elsewhere. The routes speak to this alone. Each verb throws the
 * codes that the contract has for it, whoever keeps the objects; one that a place does not have throws a declared error that says so.
 */
export interface Driver {
  listBuckets(): Promise<Bucket[]>;
  makeBucket(input: Required<BucketInput>): Promise<Bucket>;
  /** `record` runs in a transaction of the node's database once the bucket is gone. */
  removeBucket(name: string, record: () => void): Promise<void>;
  getSettings(name: string): Promise<BucketSettings>;
  /** Replaces them, all at once. */
  putSettings(name: string, given: BucketSettings): Promise<BucketBefore>;
  /** One page of what lies directly below a prefix. `after` is what the page before gave as its next. */
  browse(name: string, prefix: string, after: string): Promise<ObjectPage>;
  /** Begins to read an object. */
  open(name: string, key: string): Promise<OpenedObject>;
  remove(name: string, key: string): Promise<void>;
  /** Begins to take a file in parts; answers the id of the upload. */
  beginUpload(name: string, input: UploadInput): Promise<string>;
  /** Takes a part; it is stored when this resolves. */
  takePart(place: UploadPlace, number: number, bytes: AsyncIterable<Uint8Array>): Promise<UploadPart>;
  /**
   * Makes the object of its parts; of none, one without bytes. One that was made of just these parts before, whose answer was lost, is not
   * new; it is found by the key that is named with them.
   */
  finishUpload(place: UploadPlace, end: UploadEnd): Promise<{ stored: StoredObject; isNew: boolean }>;
  cancelUpload(place: UploadPlace): Promise<void>;
  listKeys(): Promise<AccessKey[]>;
  /** Makes a key, or nothing at all. `record` runs in a transaction of the node's database once it is there. */
  makeKey(
    input: Pick<AccessKeyInput, "name" | "grants">,
    record: (key: Pick<AccessKey, "access_key" | "name">) => void,
  ): Promise<NewAccessKey>;
  /** Ends a key at once; `record` is told its name in a transaction of the node's database. */
  removeKey(key: string, record: (name: string) => void): Promise<void>;
  /** Uses a key as a program would. */
  testKey(key: string): Promise<KeyTest>;
  /** Where programs find the buckets. */
  endpoint(): Promise<EndpointInfo>;
  /** Buckets or keys were changed: what depends on them looks anew. */
  refresh(): void;
}

/** Says who keeps the objects instead of this server; null where nobody does. */
export type Elsewhere = () => Promise<Driver | null>;
