import { seconds } from "../../../../lib/duration.ts";
import { MAX_KEY_BYTES } from "../contract.ts";
import { receiveObject } from "../receive-object.ts";
import { type Asked, answerEmpty, answerXml, checkOutcome, makeChange, needBucket } from "./asked.ts";
import { type Form, readForm } from "./form-data.ts";
import { checkPolicy, type SizeRange } from "./post-policy.ts";
import { S3Problem } from "./problem.ts";
import { readPromise } from "./promised-sums.ts";
import { readTags } from "./tagging.ts";
import { escapeBytes, header } from "./wire.ts";
import { MAX_PIECE_BYTES, readGivenFacts, refuseUnknownWishes } from "./write-object.ts";
import { leaf, xmlDocument } from "./xml.ts";

/** Fields that stand for headers of a PUT, and become headers of later answers. */
const AS_HEADERS = /^(?:x-amz-[a-z0-9._-]+|cache-control|content-(?:type|disposition|encoding|language)|expires)$/;
/** Fields of the form that is signed, which no object keeps. */
const OF_THE_FORM = /^x-amz-(?:algorithm|credential|date|signature|security-token)$/;

/** What the fields of a form may take: only they say who sends them, and each sender holds a connection. */
const FIELDS_MS = seconds(30);

/** Reads a form up to its file. A sender who takes too long is cut off; `check` is asked of what comes later. */
async function readInTime({ world, wire, request, response }: Asked, check: () => void): Promise<Form> {
  const cancel = world.clock.after(FIELDS_MS, () => response.destroy());
  try {
    return await readForm(header(wire, "content-type") ?? "", world.bodies.pass(request, check));
  } finally {
    cancel();
  }
}

/** Takes a file from a browser by a form that somebody with a key signed; what the form may send, its policy says. */
export async function takeForm(asked: Asked): Promise<void> {
  const { world, wire, request, response } = asked;
  let check = (): void => {};
  const { fields, file } = await readInTime(asked, () => check());
  const text = (name: string): string | null => fields.get(name)?.toString("utf8") ?? null;
  const policy = text("policy");
  if (policy === null) throw new S3Problem("AccessDenied", "Sign the form: it needs the field policy.");
  const signed = world.signatures.checkForm(text);
  world.connections.prove(request.socket, signed.key.accessKey);
  const key = text("key");
  if (key === null) throw missing("key");
  if (file === null) throw missing("file");
  // Said often enough, a long name of a file would fill the memory.
  if (key.length > MAX_KEY_BYTES || file.name.length > MAX_KEY_BYTES) throw new S3Problem("KeyTooLongError");
  const name = key.replaceAll(/\$\{filename\}/g, () => file.name);
  const given = new Map([...fields].map(([field, bytes]) => [field, bytes.toString("utf8")] as const));
  given.set("key", name).set("bucket", wire.bucket ?? "");
  const range = checkPolicy(Buffer.from(policy, "base64").toString("utf8"), given, world.clock.now());
  const headers = new Map<string, string>();
  for (const [field, bytes] of fields) {
    if (!AS_HEADERS.test(field) || OF_THE_FORM.test(field)) continue;
    if (/\p{Cc}/u.test(bytes.toString("latin1").replace(/[\x80-\xff]/g, ""))) throw badField(field);
    headers.set(field, bytes.toString("latin1"));
  }
  headers.set("x-amz-acl", text("acl") ?? "private");
  const sent: Asked = { ...asked, signed, wire: { ...wire, headers } };
  const bucket = needBucket(sent, "write");
  check = () => void needBucket(sent, "write");
  refuseUnknownWishes(sent);
  const bytes = new TextEncoder().encode(name);
  if (bytes.length === 0) throw missing("key");
  if (bytes.length > MAX_KEY_BYTES) throw new S3Problem("KeyTooLongError");
  const tagging = text("tagging");
  const facts = { ...readGivenFacts(sent), ...(tagging === null ? {} : { tags: readTags(tagging) }) };
  const target = redirectOf(text("success_action_redirect") ?? text("redirect"));
  const promise = readPromise(sent.wire);
  const received = await receiveObject(world, within(file.bytes, range), promise.algorithms, promise.check);
  const { blob, md5, sums } = received;
  const { md5: _, ...kept } = sums;
  const object = {
    bucketId: bucket.id,
    key: bytes,
    etag: md5,
    facts: JSON.stringify({ ...facts, sums: kept }),
    at: world.clock.now(),
    when: {},
  };
  checkOutcome(await makeChange(sent, "write", { kind: "put", ...object, blob }));
  // What may stand behind the file is not read.
  if (!request.complete) response.setHeader("connection", "close");
  const location = `/${bucket.name}/${escapeBytes(bytes, true)}`;
  if (target !== null) {
    for (const [field, value] of [
      ["bucket", bucket.name],
      ["key", name],
      ["etag", `"${md5}"`],
    ] as const)
      target.searchParams.set(field, value);
    return answerEmpty(asked, 303, { location: target.href });
  }
  const about = { etag: `"${md5}"`, location };
  const status = text("success_action_status");
  if (status !== "201") return answerEmpty(asked, status === "200" ? 200 : 204, about);
  const lines = [leaf("Location", location), leaf("Bucket", bucket.name), leaf("Key", name), leaf("ETag", about.etag)];
  answerXml(asked, xmlDocument("PostResponse", ...lines), 201, about);
}

const missing = (field: string): S3Problem =>
  new S3Problem("InvalidArgument", `Bucket POST must contain a field named '${field}'.`);

const badField = (field: string): S3Problem => new S3Problem("InvalidArgument", `The field ${field} is not valid.`);

/** Where the browser goes afterwards; what is no address of the web is left out, as S3 does. */
function redirectOf(text: string | null): URL | null {
  const url = text === null ? null : URL.parse(text);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : null;
}

/** Passes bytes on while they are as many as they may be. Throws EntityTooLarge and EntityTooSmall. */
async function* within(bytes: AsyncGenerator<Uint8Array>, range: SizeRange | null): AsyncGenerator<Uint8Array> {
  const most = Math.min(range?.most ?? MAX_PIECE_BYTES, MAX_PIECE_BYTES);
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > most) throw new S3Problem("EntityTooLarge", `The form takes files of at most ${most} bytes.`);
    yield piece;
  }
  if (size < (range?.least ?? 0))
    throw new S3Problem("EntityTooSmall", `The form takes files of at least ${range?.least} bytes.`);
}
