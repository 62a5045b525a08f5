import { brotliCompressSync, constants } from "node:zlib";
import { Elysia } from "elysia";
import { accepts } from "./accept-encoding.ts";
import { lengthAlone } from "./head-answer.ts";
import { createUnreadAnswers, LARGE_BYTES } from "./unread-answers.ts";

/** A smaller answer is one packet anyway. */
const LEAST_BYTES = 1_400;

/** The quickest setting of each: an answer is made once for one reader, and whoever waits behind it waits for this too. */
const CODINGS: readonly [name: string, compress: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>][] = [
  ["zstd", (bytes) => new Uint8Array(Bun.zstdCompressSync(bytes, { level: 1 }))],
  [
    "br",
    (bytes) =>
      new Uint8Array(
        brotliCompressSync(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
      ),
  ],
  ["gzip", (bytes) => Bun.gzipSync(bytes, { level: 1, library: "libdeflate" })],
];

const encoder = new TextEncoder();

/**
 * Compresses JSON that a GET answers, and counts what is large of it until it is read. Streams, files and whatever else a handler answers
 * itself go out as they are, and texts that are ready are counted alone. Answers that another site has a browser ask for are not
 * compressed: there somebody else may choose words of the question, and learn from the size of the answer what else is in it (BREACH).
 * What is shown once, such as a new token, is answered to a POST, and never compressed.
 */
export function answerJson() {
  const unread = createUnreadAnswers();
  return new Elysia({ name: "answer-json" }).mapResponse({ as: "global" }, ({ request, responseValue, set }) => {
    // Handed back rather than left out: of an error Elysia would forget the body.
    const asItIs = responseValue as Response | undefined;
    if (request.method === "HEAD" && responseValue instanceof Response) return lengthAlone(responseValue);
    const isReady = typeof responseValue === "string";
    if (request.method !== "GET" || !(isReady || isJson(responseValue))) return asItIs;
    const text = isReady ? responseValue : JSON.stringify(responseValue);
    set.headers["content-type"] ??= isReady ? "text/plain;charset=utf-8" : "application/json;charset=utf-8";
    const coding = isReady || text.length < LEAST_BYTES ? null : codingFor(request);
    if (coding === null && text.length < LARGE_BYTES) return text as unknown as Response;
    let bytes = encoder.encode(text);
    if (coding !== null) {
      const [name, compress] = coding;
      const before = set.headers["vary"];
      set.headers["vary"] = before === undefined ? "accept-encoding" : `${before}, accept-encoding`;
      set.headers["content-encoding"] = name;
      bytes = compress(bytes);
    }
    const body = bytes.length > LARGE_BYTES ? unread(request, bytes) : bytes;
    return new Response(body, { status: typeof set.status === "number" ? set.status : 200 });
  });
}

/** The coding that the answer may have; null for none. */
function codingFor(request: Request): (typeof CODINGS)[number] | null {
  const accepted = request.headers.get("accept-encoding");
  if (accepted === null || !isAskedByOwnPage(request)) return null;
  return CODINGS.find(([name]) => accepts(accepted, name)) ?? null;
}

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Programs say nothing of a site; browsers do, over https and on the machine itself. */
function isAskedByOwnPage(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}
