import { createHash } from "node:crypto";
import { type Algorithm, algorithmOf } from "../checksums.ts";
import type { Received } from "../receive-object.ts";
import { createPieces } from "./pieces.ts";
import { S3Problem } from "./problem.ts";
import { readPromise } from "./promised-sums.ts";
import { isSame, type Signed, signNext } from "./signature.ts";
import { header, type Wire } from "./wire.ts";

/** A body as its bytes are meant, with what its sender said of them. */
export interface Body {
  bytes: AsyncIterable<Uint8Array>;
  /** Sums to work out. */
  algorithms: Algorithm[];
  /** Throws for what is not as its sender said. Called once all bytes are there. */
  check(received: Omit<Received, "blob">): void;
}

const EMPTY_SHA256 = createHash("sha256").digest("hex");
const MAX_TRAILER_BYTES = 4_096;
const LEAST_CHUNK_BYTES = 8_192;

/** How the body of a request that stores something is to be read. */
export function openBody(wire: Wire, source: AsyncIterable<Uint8Array>, signed: Signed): Body {
  const { payload } = signed;
  const promise = readPromise(wire);
  const trailer = header(wire, "x-amz-trailer");
  const trailing =
    trailer === null
      ? null
      : algorithmOf(
          trailer
            .trim()
            .toLowerCase()
            .replace(/^x-amz-checksum-/, ""),
        );
  if (trailer !== null && trailing === null)
    throw new S3Problem("InvalidRequest", "The value of x-amz-trailer is not supported.");
  const trailers = new Map<string, string>();
  const isStreaming = payload.startsWith("STREAMING-");
  const isHash = /^[0-9a-f]{64}$/.test(payload);
  if (!isStreaming && !isHash && payload !== "UNSIGNED-PAYLOAD")
    throw new S3Problem(
      "InvalidArgument",
      "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING- value or a valid sha256 value.",
    );
  const hasher = isHash ? createHash("sha256") : null;
  const length = Number(
    (isStreaming ? header(wire, "x-amz-decoded-content-length") : header(wire, "content-length")) ?? -1,
  );
  const bytes = counted(isStreaming ? decodeChunks(source, signed, trailers) : source, length, hasher);
  const algorithms = [...new Set([...promise.algorithms, ...(trailing === null ? [] : [trailing])])];
  return {
    bytes,
    algorithms,
    check(received) {
      if (hasher !== null && !isSame(payload, hasher.digest("hex"))) throw new S3Problem("XAmzContentSHA256Mismatch");
      promise.check(received);
      if (trailing === null) return;
      const sent = trailers.get(`x-amz-checksum-${trailing}`);
      if (sent === undefined) throw new S3Problem("MalformedTrailerError");
      if (received.sums[trailing] !== sent) throw new S3Problem("BadDigest");
    },
  };
}

/** Passes bytes on, and throws IncompleteBody where there are fewer or more than said. */
async function* counted(
  source: AsyncIterable<Uint8Array>,
  length: number,
  hasher: ReturnType<typeof createHash> | null,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const piece of source) {
    count += piece.length;
    if (length >= 0 && count > length) throw new S3Problem("IncompleteBody");
    hasher?.update(piece);
    yield piece;
  }
  if (length >= 0 && count < length) throw new S3Problem("IncompleteBody");
}

/** Reads a body of pieces, each with its length before it and, where the body is signed, its signature. */
async function* decodeChunks(
  source: AsyncIterable<Uint8Array>,
  signed: Signed,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const { payload } = signed;
  const known = [
    "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
  ];
  if (!known.includes(payload)) throw new S3Problem("NotImplemented", `${payload} is not supported.`);
  const isSigned = payload.includes("HMAC");
  const pieces = createPieces(source);
  let previous = signed.signature;
  let lastSize = LEAST_CHUNK_BYTES;
  for (;;) {
    const [size = "", ...extensions] = (await pieces.line(1_024)).split(";");
    if (!/^[0-9a-fA-F]{1,8}$/.test(size.trim())) throw new S3Problem("IncompleteBody");
    const length = Number.parseInt(size, 16);
    if (length > 0 && lastSize < LEAST_CHUNK_BYTES) throw new S3Problem("InvalidChunkSizeError");
    lastSize = length;
    const hasher = isSigned ? createHash("sha256") : null;
    for await (const piece of pieces.take(length)) {
      hasher?.update(piece);
      yield piece;
    }
    if (hasher !== null) {
      const given =
        extensions.find((text) => text.startsWith("chunk-signature="))?.slice("chunk-signature=".length) ?? "";
      previous = signNext(signed, "AWS4-HMAC-SHA256-PAYLOAD", previous, EMPTY_SHA256, hasher.digest("hex"));
      if (!isSame(previous, given.trim())) throw new S3Problem("SignatureDoesNotMatch");
    }
    if (length === 0) break;
    if ((await pieces.line(2)) !== "") throw new S3Problem("IncompleteBody");
  }
  if (payload.endsWith("-TRAILER")) await readTrailers(pieces, signed, isSigned ? previous : null, trailers);
}

async function readTrailers(
  pieces: ReturnType<typeof createPieces>,
  signed: Signed,
  previous: string | null,
  trailers: Map<string, string>,
): Promise<void> {
  let text = "";
  for (;;) {
    const line = await pieces.line(MAX_TRAILER_BYTES);
    if (line === "") break;
    const at = line.indexOf(":");
    const name = line.slice(0, at).trim().toLowerCase();
    const value = line.slice(at + 1).trim();
    if (at < 1 || trailers.size > 10) throw new S3Problem("MalformedTrailerError");
    if (name === "x-amz-trailer-signature") {
      const expected =
        previous === null
          ? ""
          : signNext(signed, "AWS4-HMAC-SHA256-TRAILER", previous, createHash("sha256").update(text).digest("hex"));
      if (!isSame(expected, value)) throw new S3Problem("SignatureDoesNotMatch");
      return;
    }
    trailers.set(name, value);
    text += `${name}:${value}\n`;
  }
  if (previous !== null) throw new S3Problem("MalformedTrailerError");
}
