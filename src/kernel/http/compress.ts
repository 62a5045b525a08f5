import { brotliCompressSync, constants } from "node:zlib";
import { Elysia } from "elysia";
import { accepts } from "./accept-encoding.ts";
import { lengthAlone } from "./head-answer.ts";

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
 * Compresses JSON that a GET answers. Streams, files and whatever else a handler answers itself go out as they are. So do answers that
 * another site has a browser ask for: there somebody else may choose words of the question, and learn from the size of the answer
 * what else is in it (BREACH). What is shown once, such as a new token, is answered to a POST, and never compressed.
 */
export function compressJson() {
  return new Elysia({ name: "compress-json" }).mapResponse({ as: "global" }, ({ request, responseValue, set }) => {
    // Handed back rather than left out: of an error Elysia would forget the body.
    const asItIs = responseValue as Response | undefined;
    if (request.method === "HEAD" && responseValue instanceof Response) return lengthAlone(responseValue);
    if (request.method !== "GET" || !isJson(responseValue)) return asItIs;
    const accepted = request.headers.get("accept-encoding");
    if (accepted === null || !isAskedByOwnPage(request)) return asItIs;
    const coding = CODINGS.find(([name]) => accepts(accepted, name));
    if (coding === undefined) return asItIs;
    const text = JSON.stringify(responseValue);
    if (text.length < LEAST_BYTES) return asItIs;
    const [name, compress] = coding;
    const before = set.headers["vary"];
    set.headers["vary"] = before === undefined ? "accept-encoding" : `${before}, accept-encoding`;
    set.headers["content-encoding"] = name;
    set.headers["content-type"] = "application/json;charset=utf-8";
    const bytes = compress(encoder.encode(text));
    return new Response(bytes, { status: typeof set.status === "number" ? set.status : 200 });
  });
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
