import { AppError } from "../../../../kernel/http/errors.ts";

/** What S3 answers where something is wrong: its own code, which clients act on, and words for people. */
export class S3Problem extends Error {
  readonly code: Code;
  readonly status: number;
  readonly extra: Record<string, string>;
  readonly headers: Record<string, string>;

  constructor(code: Code, words?: string, extra: Record<string, string> = {}, headers: Record<string, string> = {}) {
    const [status, usual] = CODES[code];
    super(words ?? usual);
    this.code = code;
    this.status = status;
    this.extra = extra;
    this.headers = headers;
  }
}

const CODES = {
  AccessDenied: [
    403,
    "Access denied: no grant of this key covers it. Grants are given under Object storage in the dashboard.",
  ],
  AccessControlListNotSupported: [400, "This store has no access lists: what a key may do is said by its grants."],
  AuthorizationHeaderMalformed: [400, "The authorization header is not as signature version 4 wants it."],
  AuthorizationQueryParametersError: [400, "The X-Amz- parameters are not as signature version 4 wants them."],
  BadDigest: [400, "The sum that was sent does not match the bytes that arrived. Send them again."],
  BucketAlreadyExists: [409, "There is a bucket of that name, and this key does not own it."],
  BucketAlreadyOwnedByYou: [409, "This key owns a bucket of that name already."],
  BucketNotEmpty: [409, "The bucket still holds objects or unfinished uploads. Remove them first."],
  EntityTooLarge: [400, "It is larger than this store takes in one piece. Send it in parts."],
  EntityTooSmall: [400, "Parts other than the last must have at least 5 MiB."],
  IncompleteBody: [400, "The body is not as long as the request said."],
  InternalError: [500, "Something failed inside. The log of the node has the cause. Try again."],
  InvalidAccessKeyId: [403, "There is no such access key. It may have been removed."],
  InvalidArgument: [400, "An argument is not valid."],
  InvalidBucketName: [400, "The bucket's name is not valid."],
  InvalidChunkSizeError: [403, "Pieces of a signed body other than the last must have at least 8 KiB."],
  InvalidDigest: [400, "A sum that was sent is none."],
  InvalidPart: [400, "A part is missing, too small, or its etag is another."],
  InvalidPartNumber: [416, "The object has no part of that number."],
  InvalidPartOrder: [400, "Parts must be named in ascending order."],
  InvalidRange: [416, "The range lies outside of the object."],
  InvalidRequest: [400, "The request is not valid."],
  InvalidTag: [400, "A tag is not valid."],
  InvalidURI: [400, "The address is not valid."],
  InvalidPolicyDocument: [400, "The policy of the form is not valid."],
  KeyTooLongError: [400, "A key can have 1,024 bytes."],
  MalformedPOSTRequest: [400, "The body is no form (multipart/form-data) as S3 wants it."],
  MalformedTrailerError: [400, "The trailer that was promised did not come, or is not valid."],
  MalformedXML: [400, "The XML is not as it should be."],
  MetadataTooLarge: [400, "Notes on an object (x-amz-meta-) can have 2 KiB together."],
  MethodNotAllowed: [405, "This method is not allowed here."],
  MissingContentLength: [411, "Say how long the body is, with Content-Length."],
  NoSuchBucket: [404, "There is no such bucket."],
  NoSuchBucketPolicy: [404, "There is no policy: what a key may do is said by its grants."],
  NoSuchCORSConfiguration: [404, "There are no rules for other origins."],
  NoSuchLifecycleConfiguration: [404, "There are no rules by which objects end."],
  NoSuchObjectLockConfiguration: [404, "The object is not locked."],
  NoSuchPublicAccessBlockConfiguration: [
    404,
    "Nothing blocks public access: buckets are private unless people make them public.",
  ],
  NoSuchWebsiteConfiguration: [404, "The bucket is no website."],
  ReplicationConfigurationNotFoundError: [404, "There is no replication."],
  NoSuchKey: [404, "There is no such object."],
  NoSuchTagSet: [404, "There are no tags."],
  NoSuchVersion: [404, "There is no such version: of each object there is one, and its id is null."],
  NoSuchUpload: [404, "There is no such upload. It may have been finished or given up."],
  NotImplemented: [501, "This store does not have that."],
  ObjectLockConfigurationNotFoundError: [404, "There is no object lock."],
  PreconditionFailed: [412, "What the request depends on does not hold."],
  RequestTimeout: [400, "Nothing came of the body for a minute. Send it again."],
  RequestTimeTooSkewed: [
    403,
    "The clocks of client and server differ by more than 15 minutes. Set the one that is wrong.",
  ],
  ServerSideEncryptionConfigurationNotFoundError: [404, "There is no encryption of its own for this bucket."],
  ServiceUnavailable: [503, "The object store is off or cannot write. Look at it in the dashboard."],
  SignatureDoesNotMatch: [
    403,
    "The signature is another than the one worked out here. Check the secret key and how the request is signed.",
  ],
  InsufficientStorage: [507, "The disk of the store is full. Free some space and try again."],
  SlowDown: [
    503,
    "Too many requests wait for their turn, or answers for their reader. Send fewer at a time, and this one again in a second.",
  ],
  XAmzContentSHA256Mismatch: [400, "The bytes that arrived are others than those that were signed."],
} as const satisfies Record<string, readonly [number, string]>;

export type Code = keyof typeof CODES;

/** The refusal of whoever asks for more at a time than there is room for. */
export const slowDown = (): S3Problem => new S3Problem("SlowDown", undefined, {}, { "retry-after": "1" });

/** What is known to go wrong, in S3's words; null for what nobody foresaw. */
export function problemOf(error: unknown): S3Problem | null {
  if (error instanceof S3Problem) return error;
  if (!(error instanceof AppError)) return null;
  switch (error.code) {
    case "disk_full":
      return new S3Problem("InsufficientStorage");
    case "objstore_store_unavailable":
      return new S3Problem("ServiceUnavailable", error.message);
    case "too_many_requests":
    case "unavailable":
      return slowDown();
    case "body_too_slow":
      return new S3Problem("RequestTimeout", error.message);
    default:
      return null;
  }
}
