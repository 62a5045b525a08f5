import type { IncomingMessage, ServerResponse } from "node:http";
import type { KeyedGate } from "../../../../lib/keyed-gate.ts";
import { DamagedBytes } from "../../object-store/index.ts";
import { MAX_KEY_BYTES } from "../contract.ts";
import { type Asked, isOnlyVersion, needOwner, type World, whoseOf } from "./asked.ts";
import {
  answerStub,
  createBucket,
  deleteBucket,
  getLocation,
  headBucket,
  listBuckets,
  putAcl,
  STUBS,
  saveSettings,
} from "./bucket-requests.ts";
import { allowOrigin, answerPreflight, getCors, putCors } from "./cors.ts";
import { deleteObjects } from "./delete-objects.ts";
import { abortUpload, completeUpload } from "./end-upload.ts";
import { getLifecycle, putLifecycle } from "./lifecycle.ts";
import { listObjects, listVersions } from "./list-objects.ts";
import { listUploads } from "./list-uploads.ts";
import { beginUpload, copyPart, listParts, putPart } from "./multipart.ts";
import { getAttributes } from "./object-attributes.ts";
import { takeForm } from "./post-form.ts";
import { problemOf, S3Problem, slowDown } from "./problem.ts";
import { readObject } from "./read-object.ts";
import type { Signed } from "./signature.ts";
import { getBucketTags, getTags, needObject, putBucketTags, saveTags } from "./tagging.ts";
import { needReader } from "./unread.ts";
import { answerVisitor, getWebsite, putWebsite } from "./website.ts";
import { header, param, readWire, type Wire } from "./wire.ts";
import { copyObject, deleteObject, putObject } from "./write-object.ts";
import { leaf } from "./xml.ts";

/** Things about a bucket or an object that have a query of their own; asked for, they are never taken for something else. */
const ABOUT = [
  "accelerate",
  "acl",
  "analytics",
  "attributes",
  "cors",
  "delete",
  "encryption",
  "intelligent-tiering",
  "inventory",
  "legal-hold",
  "lifecycle",
  "location",
  "logging",
  "metrics",
  "notification",
  "object-lock",
  "ownershipControls",
  "policy",
  "policyStatus",
  "publicAccessBlock",
  "replication",
  "requestPayment",
  "restore",
  "retention",
  "select",
  "tagging",
  "torrent",
  "uploads",
  "versioning",
  "versions",
  "website",
];

const aboutOf = (wire: Wire): string | null =>
  wire.query.length === 0 ? null : (ABOUT.find((name) => param(wire, name) !== null) ?? null);

type Answering = void | Promise<void>;

type Answer = (asked: Asked) => Promise<void>;

/** Answers when there is room for it among what its key asked for before. */
const inTurn = (gate: KeyedGate, asked: Asked, answer: Answer): Promise<void> =>
  gate(asked.signed?.key.accessKey ?? "", async () => {
    needReader(asked);
    await answer(asked);
  });
const listInTurn = (asked: Asked, list: Answer): Promise<void> => inTurn(asked.world.listGate, asked, list);

function answerBucket(asked: Asked, about: string | null): Answering {
  const { method } = asked.wire;
  switch (`${method} ${about ?? ""}`.trim()) {
    case "GET":
      return listInTurn(asked, listObjects);
    case "GET uploads":
      return listInTurn(asked, listUploads);
    case "GET versions":
      return listInTurn(asked, listVersions);
    case "GET location":
      return getLocation(asked);
    case "GET cors":
      return getCors(asked);
    case "PUT cors":
      return putCors(asked);
    case "DELETE cors":
      return saveSettings(asked, { cors: null });
    case "GET lifecycle":
      return getLifecycle(asked);
    case "PUT lifecycle":
      return putLifecycle(asked);
    case "DELETE lifecycle":
      return saveSettings(asked, { lifecycle: null });
    case "GET website":
      return getWebsite(asked);
    case "PUT website":
      return putWebsite(asked);
    case "DELETE website":
      return saveSettings(asked, { website: null });
    case "GET tagging":
      return getBucketTags(asked);
    case "PUT tagging":
      return putBucketTags(asked);
    case "DELETE tagging":
      return saveSettings(asked, { tags: null });
    case "PUT acl":
      return putAcl(asked);
    case "HEAD":
      return headBucket(asked);
    case "PUT":
      return createBucket(asked);
    case "DELETE":
      return deleteBucket(asked);
    case "POST":
      return takeForm(asked);
    case "POST delete":
      return deleteObjects(asked);
  }
  if (method === "GET" && about !== null && STUBS.includes(about)) return answerStub(asked, about);
  throw new S3Problem("NotImplemented");
}

function answerObject(asked: Asked, about: string | null): Answering {
  const { method } = asked.wire;
  const isUpload = param(asked.wire, "uploadId") !== null;
  // Of another store, perhaps: what it names is not the object that is here, least of all for its removal.
  if (!isOnlyVersion(param(asked.wire, "versionId"))) throw new S3Problem("NoSuchVersion");
  const isCopy = header(asked.wire, "x-amz-copy-source") !== null;
  switch (`${method} ${about ?? (isUpload ? "upload" : "")}`.trim()) {
    case "GET":
    case "HEAD":
      return readObject(asked);
    case "PUT":
      return isCopy ? copyObject(asked) : putObject(asked);
    case "DELETE":
      return deleteObject(asked);
    case "POST uploads":
      return beginUpload(asked);
    case "PUT upload":
      return isCopy ? inTurn(asked.world.copyGate, asked, copyPart) : putPart(asked);
    case "POST upload":
      return completeUpload(asked);
    case "DELETE upload":
      return abortUpload(asked);
    case "GET upload":
      return listParts(asked);
    case "GET attributes":
      return getAttributes(asked);
    case "GET tagging":
      return getTags(asked);
    case "PUT tagging":
      return saveTags(asked, false);
    case "DELETE tagging":
      return saveTags(asked, true);
    case "GET acl":
      return answerStub(asked, "acl");
    case "PUT acl":
      return putAcl(asked);
    case "GET retention":
    case "GET legal-hold":
      needObject(asked, "read");
      throw new S3Problem("NoSuchObjectLockConfiguration");
  }
  throw new S3Problem("NotImplemented");
}

/** Who asks. A browser that asks before it sends is nobody, also by an address that somebody signed for what it is about to send. */
const whoAsks = (world: World, wire: Wire): Signed | null =>
  wire.method === "OPTIONS" ? null : world.signatures.check(wire);

/**
 * Who asks, once it is their turn: at once, or later. Throws SlowDown where too many of theirs wait, and the S3 code for a signature that
 * is wrong.
 */
function admit(world: World, wire: Wire, request: IncomingMessage): Signed | null | Promise<Signed | null> {
  const signed = whoAsks(world, wire);
  if (signed !== null) world.connections.prove(request.socket, signed.key.accessKey);
  const turn = world.takeTurn(whoseOf({ world, signed, request }));
  if (turn === null) throw slowDown();
  if (turn === undefined) return signed;
  return turn.then((isIn) => {
    if (!isIn) throw slowDown();
    // Meanwhile the key may have lost what it had.
    return whoAsks(world, wire);
  });
}

/** Answers one request, errors included; nothing is thrown. */
export async function answerRequest(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = world.ids.token(9);
  response.setHeader("x-amz-request-id", requestId);
  response.setHeader("x-amz-id-2", requestId);
  let wire: Wire | null = null;
  try {
    wire = readWire(request, MAX_KEY_BYTES);
    let signed: Signed | null;
    try {
      const admitted = admit(world, wire, request);
      // Most pass at once, and a wait for nothing is dear.
      signed = admitted instanceof Promise ? await admitted : admitted;
    } finally {
      // Pages of other origins may read why they were refused, too.
      allowOrigin(world, wire, response);
    }
    needReader({ response });
    if (wire.method === "OPTIONS") return answerPreflight(world, wire, response);
    const asked: Asked = { world, wire, signed, request, response };
    needOwner(asked, "x-amz-expected-bucket-owner");
    if (await answerVisitor(asked)) return;
    const about = aboutOf(wire);
    if (wire.bucket === null && wire.method === "GET" && about === null) return listBuckets(asked);
    if (wire.bucket === null) throw new S3Problem("MethodNotAllowed");
    await (wire.key === null ? answerBucket(asked, about) : answerObject(asked, about));
  } catch (error) {
    refuse(world, error, { wire, request, response, requestId });
  }
}

/** What went wrong in S3's words; what nobody foresaw is in the log. */
function explain({ log }: World, error: unknown, requestId: string): S3Problem {
  const known = problemOf(error);
  if (known !== null) return known;
  if (error instanceof DamagedBytes) {
    log.error("an object is damaged on disk", { error, request_id: requestId });
    return new S3Problem("InternalError", "The bytes of this object are damaged on disk. Bring it back from a backup.");
  }
  log.error("a request to the object store failed", { error, request_id: requestId });
  return new S3Problem("InternalError");
}

function refuse(
  world: World,
  error: unknown,
  {
    wire,
    request,
    response,
    requestId,
  }: { wire: Wire | null; request: IncomingMessage; response: ServerResponse; requestId: string },
): void {
  if (response.destroyed) return;
  // Too late for another status: a torn answer is seen by its length.
  if (response.headersSent) return void response.destroy();
  const problem = explain(world, error, requestId);
  const extra = Object.entries(problem.extra).map(([name, text]) => leaf(name, text));
  const resource = wire?.canonicalPath ?? "";
  const inside = [
    leaf("Code", problem.code),
    leaf("Message", problem.message),
    leaf("Resource", resource),
    leaf("RequestId", requestId),
  ];
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${[...inside, ...extra].join("")}</Error>`;
  const headers: Record<string, string> = { ...problem.headers, "content-type": "application/xml" };
  // What is left of the body is not read: the connection goes with it.
  if (!request.complete) headers["connection"] = "close";
  if (request.method === "HEAD") {
    response.writeHead(problem.status, headers);
    return void response.end();
  }
  response.writeHead(problem.status, { ...headers, "content-length": String(Buffer.byteLength(body)) });
  response.end(body);
}
