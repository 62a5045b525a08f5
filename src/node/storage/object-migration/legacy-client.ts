import type { IncomingMessage } from "node:http";
import { parseAddress } from "../../../kernel/outgoing/address.ts";
import { createConnections, openReply, toOutgoingError } from "../../../kernel/outgoing/exchange.ts";
import { gatherBytes } from "../../../kernel/outgoing/gather-bytes.ts";
import { OutgoingError, type OutgoingRequest } from "../../../kernel/outgoing/index.ts";
import { within } from "../../../kernel/outgoing/named-servers.ts";
import type { Target } from "../../../kernel/outgoing/target.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { escapeS3, queryS3, type S3Signer, signS3 } from "../../../lib/sign-s3.ts";
import { childrenOf, type Element, parseXml, textOf } from "../objects/index.ts";

/** An object as the previous store lists it. */
export interface Listed {
  key: string;
  size: number;
  etag: string;
}

/** An object on its way here. */
export interface Opened {
  size: number;
  etag: string;
  modifiedAt: number;
  headers: Readonly<Record<string, string>>;
  bytes: AsyncIterable<Uint8Array>;
}

/** The previous store refused one thing that was asked; the others may still be had. */
export class LegacyRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "LegacyRefusal";
    this.status = status;
  }
}

/** The previous store, through its own S3 protocol. Everything throws LegacyRefusal, or OutgoingError where it does not answer. */
export interface Legacy {
  listBuckets(): Promise<{ name: string; createdAt: number }[]>;
  /** Objects after a key, in the order of their bytes; an empty page ends them. */
  list(bucket: string, after: string): Promise<Listed[]>;
  /** Begins to read an object. Throws LegacyRefusal 404 where it is gone. */
  open(bucket: string, key: string): Promise<Opened>;
  /** How large each part of an object is but the last that came in parts; null where that cannot be known. */
  partSize(bucket: string, key: string): Promise<number | null>;
  isThere(bucket: string, key: string): Promise<boolean>;
  tags(bucket: string, key: string): Promise<Record<string, string>>;
  /** Those of a bucket; null where it has none. */
  tagsOfBucket(bucket: string): Promise<Record<string, string> | null>;
  /** What a question about a bucket answers; null where there is nothing of the kind. */
  about(bucket: string, what: "policy" | "lifecycle" | "versioning"): Promise<string | null>;
}

const MOST_TEXT = 16 * 1024 * 1024;
/** A page of a large listing, the first byte of an object, or so many of its bytes, take no longer. */
const PATIENCE_MS = minutes(2);
const STRETCH_BYTES = 64 * 1024;
const AGAIN = 2;

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    throw new LegacyRefusal(200, "It lists a key that is no text.");
  }
}

const unquote = (text: string): string => text.replace(/^"(.*)"$/, "$1");
const textIn = (element: Element, name: string): string => textOf(element, name) ?? "";

function tagsIn(text: string): Record<string, string> {
  const tags = childrenOf(parse(text), "TagSet").flatMap((set) => childrenOf(set, "Tag"));
  return Object.fromEntries(tags.map((tag) => [textIn(tag, "Key"), textIn(tag, "Value")]));
}

/** What a client works with; the signal ends whatever it waits for. */
export interface LegacyWork {
  clock: Clock;
  signal: AbortSignal;
}

/** Bytes of a reply, and an error where they end early, or come so slowly that they would never end. */
async function* bytesOf(
  reply: IncomingMessage,
  { clock, signal }: LegacyWork,
): AsyncGenerator<Uint8Array, void, undefined> {
  const end = () => reply.destroy(new Error("it is not waited for any more"));
  // What was waited so far for the next stretch, without the time in which nobody took what was there.
  let waited = 0;
  let stretch = 0;
  signal.addEventListener("abort", end, { once: true });
  try {
    const pieces: AsyncIterator<unknown> = reply[Symbol.asyncIterator]();
    for (;;) {
      if (signal.aborted) throw new OutgoingError("reset", "It is not waited for any more.");
      const from = clock.monotonic();
      const cancel = clock.after(Math.max(0, PATIENCE_MS - waited), () => reply.destroy(new Error("too little came")));
      const { done, value: piece } = await pieces.next().finally(cancel);
      if (done === true) break;
      if (!(piece instanceof Uint8Array)) continue;
      waited += clock.monotonic() - from;
      stretch += piece.length;
      if (stretch >= STRETCH_BYTES) [waited, stretch] = [0, 0];
      yield piece;
    }
    if (!reply.complete) throw new OutgoingError("reset", "The connection ended before the object was complete.");
  } catch (error) {
    throw toOutgoingError(error, false);
  } finally {
    signal.removeEventListener("abort", end);
    reply.destroy();
  }
}

async function textOfReply(reply: IncomingMessage, work: LegacyWork): Promise<string> {
  const tooLarge = () => new LegacyRefusal(200, "It answered with more than any answer has.");
  return (await gatherBytes(bytesOf(reply, work), MOST_TEXT, tooLarge)).toString("utf8");
}

/** What an object has more headers of than are read is there. */
function headOfTooMuch(error: unknown): null {
  if (error instanceof OutgoingError && error.reason === "too_large") return null;
  throw error;
}

function parse(text: string): Element {
  try {
    return parseXml(text);
  } catch {
    throw new LegacyRefusal(200, "It answered with something that is no XML of S3.");
  }
}

/** A client of the store at that address, which a file of the server's owner names. */
export function createLegacy(place: S3Signer & { host: string; port: number }, work: LegacyWork): Legacy {
  const { clock, signal } = work;
  const connections = createConnections();
  const host = place.host.includes(":") ? `[${place.host}]` : place.host;
  const authority = `${host}:${place.port}`;

  async function send(method: string, name: string, pairs: Record<string, string> = {}): Promise<IncomingMessage> {
    const path = `/${escapeS3(name, "/")}`;
    const query = queryS3(pairs);
    const headers = signS3(place, { method, path, query }, authority, clock.now());
    const target: Target = {
      isTls: false,
      host: place.host,
      literal: parseAddress(place.host),
      port: place.port,
      path: query === "" ? path : `${path}?${query}`,
      authority,
    };
    const asked = { method, url: `http://${authority}${path}`, headers };
    // A kept connection may have ended meanwhile, and everything that is asked here can be asked twice.
    for (let left = AGAIN; ; left -= 1) {
      if (signal.aborted) throw new OutgoingError("reset", "It is not waited for any more.");
      try {
        return await sendOnce(target, asked, left === AGAIN);
      } catch (error) {
        if (left === 0 || !(error instanceof OutgoingError) || error.reason !== "reset") throw error;
      }
    }
  }

  const sendOnce = (target: Target, asked: OutgoingRequest, isKept: boolean): Promise<IncomingMessage> =>
    within(clock, PATIENCE_MS, target, (stop) => {
      const way = {
        connections: isKept ? connections : null,
        ca: undefined,
        signal: AbortSignal.any([stop, signal]),
      };
      return openReply(target, place.host, asked, way);
    });

  /** The reply, where it is a good one. */
  async function need(method: string, name: string, pairs: Record<string, string> = {}): Promise<IncomingMessage> {
    const reply = await send(method, name, pairs);
    const status = reply.statusCode ?? 0;
    if (status >= 200 && status < 300) return reply;
    const text = (await textOfReply(reply, work)).slice(0, 4_096);
    const code = /<Code>([A-Za-z0-9.]{1,80})<\/Code>/.exec(text)?.[1] ?? "";
    const said = /<Message>([^<]{1,300})<\/Message>/.exec(text)?.[1] ?? "";
    throw new LegacyRefusal(
      status,
      `It answered with ${[status, code, said].filter((word) => word !== "").join(" ")}.`,
    );
  }

  const ask = async (name: string, pairs: Record<string, string> = {}): Promise<string> =>
    await textOfReply(await need("GET", name, pairs), work);

  async function about(bucket: string, what: string): Promise<string | null> {
    try {
      return await ask(bucket, { [what]: "" });
    } catch (error) {
      if (error instanceof LegacyRefusal && [404, 405, 501].includes(error.status)) return null;
      throw error;
    }
  }

  return {
    async listBuckets() {
      const buckets = childrenOf(parse(await ask("")), "Buckets").flatMap((list) => childrenOf(list, "Bucket"));
      return buckets.map((bucket) => ({
        name: textIn(bucket, "Name"),
        createdAt: Date.parse(textIn(bucket, "CreationDate")) || clock.now(),
      }));
    },
    async list(bucket, after) {
      const pairs = { "list-type": "2", "encoding-type": "url", "max-keys": "1000" };
      const text = await ask(bucket, after === "" ? pairs : { ...pairs, "start-after": after });
      return childrenOf(parse(text), "Contents").map((element) => ({
        key: decode(textIn(element, "Key")),
        size: Number(textIn(element, "Size")),
        etag: unquote(textIn(element, "ETag")),
      }));
    },
    async open(bucket, key) {
      const reply = await need("GET", `${bucket}/${key}`);
      const headers = Object.fromEntries(
        Object.entries(reply.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
      );
      return {
        size: Number(headers["content-length"] ?? Number.NaN),
        etag: unquote(headers["etag"] ?? ""),
        modifiedAt: Date.parse(headers["last-modified"] ?? "") || clock.now(),
        headers,
        bytes: bytesOf(reply, work),
      };
    },
    async partSize(bucket, key) {
      const reply = await send("HEAD", `${bucket}/${key}`, { partNumber: "1" });
      reply.destroy();
      const size = Number(reply.headers["content-length"] ?? Number.NaN);
      return reply.headers["x-amz-mp-parts-count"] !== undefined && size > 0 ? size : null;
    },
    async isThere(bucket, key) {
      const reply = await send("HEAD", `${bucket}/${key}`).catch(headOfTooMuch);
      if (reply === null) return true;
      reply.destroy();
      const status = reply.statusCode ?? 0;
      if (status === 404) return false;
      if (status >= 200 && status < 300) return true;
      throw new LegacyRefusal(status, `It answered with ${status}.`);
    },
    async tags(bucket, key) {
      return tagsIn(await ask(`${bucket}/${key}`, { tagging: "" }));
    },
    async tagsOfBucket(bucket) {
      const text = await about(bucket, "tagging");
      return text === null ? null : tagsIn(text);
    },
    about,
  };
}
