import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyIntake } from "../../../../kernel/http/body-intake.ts";
import { type CountUnread, LARGE_BYTES } from "../../../../kernel/http/unread-answers.ts";
import { giveWay, type Whose } from "../../../../lib/fair-turns.ts";
import type { KeyedGate } from "../../../../lib/keyed-gate.ts";
import type { BucketFacts, Condition, Operation, Outcome } from "../../object-store/index.ts";
import type { AccessTable, Rights } from "../access-table.ts";
import { DRIVE_BUCKET } from "../contract.ts";
import type { ReadyLifecycle } from "../lifecycle/rules.ts";
import type { Needs } from "../needs.ts";
import type { ComingBodies } from "./coming-bodies.ts";
import { type Connections, pathOfAsker } from "./connections.ts";
import type { ReadyRule } from "./cors-rules.ts";
import { S3Problem } from "./problem.ts";
import type { Signatures, Signed } from "./signature.ts";
import { countUnread, endAnswer, needReader } from "./unread.ts";
import { header, type Wire } from "./wire.ts";

/** What answering a request takes. */
export interface World
  extends Pick<Needs, "objectStore" | "clock" | "ids" | "log" | "db" | "bus" | "config" | "takeTurn"> {
  access: AccessTable;
  signatures: Signatures;
  bodies: ComingBodies;
  connections: Connections;
  countUnread: CountUnread;
  /** Bounds what documents on their way hold, by key. */
  readWithin: BodyIntake;
  /** Each key has one list made at a time: while others come between its parts, it is in memory. */
  listGate: KeyedGate;
  /** Few bytes of a request move gigabytes: each key has two parts copied at a time. */
  copyGate: KeyedGate;
  /** Rules of buckets for pages of other origins, and those by which objects end: read once and kept for many requests. */
  readCors: (text: string) => readonly ReadyRule[];
  readLifecycle: (text: string) => readonly ReadyLifecycle[];
}

/** A request whose signature is right; `signed` is null where there was none. */
export interface Asked {
  world: World;
  wire: Wire;
  signed: Signed | null;
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * For whom a request is answered. A key has as much as an account, however many connections it keeps; all who sign nothing are one, of
 * whom each provider has its share, in it each site, and in that each network.
 */
export const whoseOf = ({ world, signed, request }: Pick<Asked, "world" | "signed" | "request">): Whose =>
  signed === null
    ? ["", ...pathOfAsker(world.config, request)]
    : [signed.key.accessKey, `${request.socket.remoteAddress} ${request.socket.remotePort}`];

/** Lets others go before the next part of something long. Throws where nobody is there any more to read it. */
export async function othersFirst(asked: Asked): Promise<void> {
  await giveWay(asked.world.takeTurn, whoseOf(asked));
  needReader(asked);
}

/** What the caller's key may do at this moment, by id of the bucket: nothing without one, or after it was removed. */
export function rightsNow({ world, signed }: Pick<Asked, "world" | "signed">): ReadonlyMap<string, Rights> {
  const key = signed === null ? null : world.access.find(signed.key.accessKey);
  return key !== null && key.secret === signed?.key.secret ? key.rights : new Map();
}

/** The bucket that is asked for, if the caller may do that with it at this moment. */
export function needBucket({ world, wire, signed }: Asked, right: keyof Rights): BucketFacts {
  const bucket = wire.bucket === null ? null : findOpen(world, wire.bucket);
  if (signed === null && (bucket?.visibility !== "public" || right !== "read" || wire.key === null))
    throw new S3Problem("AccessDenied", "Sign the request: only objects of public buckets are for everybody.");
  if (bucket === null) throw new S3Problem("NoSuchBucket", undefined, { BucketName: wire.bucket ?? "" });
  if (signed !== null && rightsNow({ world, signed }).get(bucket.id)?.[right] !== true)
    throw new S3Problem("AccessDenied");
  return bucket;
}

/** The body of a request, as long as its sender may do that with the bucket. */
export const comingOf = (
  asked: Asked,
  right: keyof Rights,
  source: AsyncIterable<Uint8Array> = asked.request,
): AsyncGenerator<Uint8Array, void, undefined> => asked.world.bodies.pass(source, () => void needBucket(asked, right));

/**
 * Makes a change of the bucket that is asked for, if the caller may do that with it at this moment: a body may have come for hours since
 * they were let in. What came of one is dropped otherwise.
 */
export async function makeChange(asked: Asked, right: keyof Rights, operation: Operation): Promise<Outcome> {
  const { objectStore } = asked.world;
  // All that a key changes waits in one turn, however many buckets it may change.
  const whose = needSigned(asked).key.accessKey;
  try {
    needBucket(asked, right);
  } catch (error) {
    if ("blob" in operation && operation.blob !== null)
      await objectStore.change({ kind: "drop", blob: operation.blob }, whose);
    throw error;
  }
  return await objectStore.change(operation, whose);
}

/** Throws where the caller means buckets of somebody else: those here belong to `orrery`, and lists name the key that asks. */
export function needOwner({ wire, signed }: Asked, name: string): void {
  const owner = header(wire, name);
  if (owner !== null && owner !== "orrery" && owner !== signed?.key.accessKey)
    throw new S3Problem("AccessDenied", `The buckets of this store do not belong to the one that ${name} names.`);
}

/** The Drive's bucket is not there for anybody who comes this way. */
export const findOpen = ({ objectStore }: Pick<World, "objectStore">, name: string): BucketFacts | null =>
  name === DRIVE_BUCKET ? null : objectStore.bucketNamed(name);

/** The signature of a request that changes something. Throws AccessDenied where there is none. */
export function needSigned({ signed }: Asked): Signed {
  if (signed === null) throw new S3Problem("AccessDenied");
  return signed;
}

/** The key that is asked for. */
export function needKey({ wire }: Asked): Uint8Array {
  if (wire.key === null) throw new S3Problem("MethodNotAllowed");
  return wire.key;
}

/** An etag without the quotes that it may stand in. */
export const unquote = (etag: string): string => etag.trim().replace(/^"(.*)"$/, "$1");

/** On what a change depends, as its headers say. */
export function readCondition(asked: Asked): Condition {
  const none = header(asked.wire, "if-none-match");
  const match = header(asked.wire, "if-match");
  if (none?.includes(",") === true || match?.includes(",") === true)
    throw new S3Problem("NotImplemented", "If-Match and If-None-Match can name one etag here.");
  const unless = none?.trim() === "*" ? { isAbsent: true } : none === null ? {} : { notEtag: unquote(none) };
  return { ...unless, ...(match === null ? {} : { etag: unquote(match) }) };
}

/** On what a removal depends besides: when the object was stored and how large it is, as S3 says them. Throws InvalidArgument. */
export function readRemoval(modified: string | null, size: string | null): Condition {
  const at = Date.parse(modified ?? "");
  if ((modified !== null && Number.isNaN(at)) || (size !== null && !/^\d{1,15}$/.test(size)))
    throw new S3Problem("InvalidArgument", "What the removal depends on must be a moment and a number of bytes.");
  return { ...(modified === null ? {} : { modifiedIn: at }), ...(size === null ? {} : { size: Number(size) }) };
}

/** Whether an id of a version means the one that each object has. */
export const isOnlyVersion = (id: string | null): boolean => id === null || id === "" || id === "null";

/** Throws the S3 code for a change that was not made. */
export function checkOutcome(outcome: Outcome): void {
  switch (outcome.refused) {
    case null:
      return;
    case "no_bucket":
      throw new S3Problem("NoSuchBucket");
    case "no_object":
      throw new S3Problem("NoSuchKey");
    case "no_upload":
      throw new S3Problem("NoSuchUpload");
    case "invalid_part":
      throw new S3Problem("InvalidPart");
    case "bucket_not_empty":
      throw new S3Problem("BucketNotEmpty");
    case "bucket_exists":
      throw new S3Problem("BucketAlreadyOwnedByYou");
    case "precondition_failed":
      throw new S3Problem("PreconditionFailed");
  }
}

/** Makes room for an answer of so many bytes, which its reader has until they have left. Throws SlowDown. */
export function needRoom({ world, signed, request, response }: Asked, bytes: number): void {
  const reader = signed?.key.accessKey ?? pathOfAsker(world.config, request).join("\n");
  if (bytes > LARGE_BYTES) countUnread(world.countUnread, reader, response, bytes);
}

/** Answers with XML. Throws SlowDown, of a GET: what was done is not done again for want of an answer. */
export function answerXml(asked: Asked, body: string, status = 200, headers: Record<string, string> = {}): void {
  const bytes = Buffer.from(body);
  if (asked.wire.method === "GET") needRoom(asked, bytes.length);
  asked.response.writeHead(status, {
    ...headers,
    "content-type": "application/xml",
    "content-length": String(bytes.length),
  });
  endAnswer(asked, bytes);
}

/** Answers without a body. */
export function answerEmpty(
  { response }: Pick<Asked, "response">,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, status === 204 ? headers : { ...headers, "content-length": "0" });
  response.end();
}

/** Milliseconds as HTTP writes moments, to the second, as lists and answers both say it. */
export const httpDate = (ms: number): string => new Date(ms).toUTCString();

/** The same for XML. */
export const xmlDate = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString();
