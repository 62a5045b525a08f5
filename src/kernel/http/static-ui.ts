import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { type AnyElysia, Elysia } from "elysia";
import type { Ids } from "../../lib/ids.ts";
import { accepts } from "./accept-encoding.ts";
import { kernelFail } from "./errors.ts";
import { pathOf } from "./request-head.ts";

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

/** Paths that belong to machines: what is unknown there is an error, never the page. */
const MACHINE_PATH = /^\/(api|assets|ws)(\/|$)/;
const IMMUTABLE = "public, max-age=31536000, immutable";
const NONCE_MARK = "__NONCE__";

/** The service worker of a dashboard. What it asks for on behalf of pages goes by its own policy. */
const WORKER_PATH = "/worker.js";
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

interface Asset {
  /** Where it is found, below the root and in URLs alike. */
  path: string;
  type: string;
  encodings: Set<string>;
  cacheControl: string;
  /** Worked out when it is first asked for: reading every file at the start would bring all of them into memory. */
  etag(): string;
}

/** Weak, because one tag stands for the plain and the compressed forms alike. */
function tagOf(path: string): () => string {
  let tag: string | null = null;
  return () => {
    tag ??= `W/"${Bun.hash(readFileSync(path)).toString(36)}"`;
    return tag;
  };
}

/** Lists a built UI once: `index.html` apart, everything else by URL path; `.br` and `.gz` twins become encodings. */
function listAssets(root: string): Map<string, Asset> {
  const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: "utf8" }) : [];
  const known = new Set(files);
  const assets = new Map<string, Asset>();
  for (const file of files) {
    const type = TYPES[extname(file)];
    if (!type) continue;
    assets.set(`/${file}`, {
      path: `/${file}`,
      type,
      encodings: new Set(["br", "gz"].filter((suffix) => known.has(`${file}.${suffix}`))),
      cacheControl: file.startsWith("assets/") ? IMMUTABLE : "no-cache",
      etag: tagOf(join(root, file)),
    });
  }
  return assets;
}

/** The best stored twin a client accepts, as `[file suffix, content-encoding]`. */
function chooseEncoding(asset: Asset, accept: string): [string, string] | null {
  if (asset.encodings.has("br") && accepts(accept, "br")) return [".br", "br"];
  if (asset.encodings.has("gz") && accepts(accept, "gzip")) return [".gz", "gzip"];
  return null;
}

/** True when the client's copy is the current one; tags are compared weakly, as RFC 9110 asks for. */
function isFresh(asset: Asset, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  const known = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes("*") || known.includes(asset.etag().replace(/^W\//, ""));
}

function pageHeaders(nonce: string): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
  };
}

/**
 * Serves a built UI below `root`: hashed assets immutable and precompressed, an unknown file 404 (never the page),
 * every other path the page itself with a fresh nonce.
 *
 * Files come from the package, but it is asked instead of mounted: mounted, it would add routes without an access rule
 * after the start has looked at them, show the page without a nonce, and hand out twins and source maps by name.
 */
export function staticUi(root: string, ids: Ids) {
  const assets = listAssets(root);
  let page: string | null = null;
  let files: AnyElysia | null = null;

  /** The file itself, with nothing said about it; compressed ones have names of their own. */
  async function openFile(path: string): Promise<Response> {
    files ??= await staticPlugin({ assets: root, prefix: "", alwaysStatic: false, etag: false, silent: true });
    const file = await files.handle(new Request(`http://localhost${path}`));
    if (!file.ok) throw kernelFail("not_found");
    return file;
  }

  async function readPage(): Promise<string> {
    if (page !== null) return page;
    const file = Bun.file(join(root, "index.html"));
    if (!(await file.exists())) throw kernelFail("unavailable", { reason: "The dashboard is missing in this build." });
    page = await file.text();
    return page;
  }

  async function respond(request: Request): Promise<Response> {
    const path = pathOf(request.url);
    const asset = assets.get(path);
    if (asset) return sendAsset(asset, request, openFile);
    if (extname(path) !== "" || MACHINE_PATH.test(path)) throw kernelFail("not_found");
    const text = await readPage();
    const nonce = ids.token(16);
    return new Response(text.replaceAll(NONCE_MARK, nonce), { headers: pageHeaders(nonce) });
  }

  return new Elysia({ name: "static-ui" })
    .get("/*", ({ request }) => respond(request), { detail: { hide: true } })
    .head("/*", ({ request }) => respond(request), { detail: { hide: true } });
}

/** Headers are added to the file's own answer: in a new one it would be a stream, without length and ranges. */
async function sendAsset(
  asset: Asset,
  request: Request,
  openFile: (path: string) => Promise<Response>,
): Promise<Response> {
  const headers: Record<string, string> = {
    "content-type": asset.type,
    "cache-control": asset.cacheControl,
    etag: asset.etag(),
    vary: "accept-encoding",
  };
  if (asset.path === WORKER_PATH) headers["content-security-policy"] = WORKER_POLICY;
  if (isFresh(asset, request.headers.get("if-none-match"))) return new Response(null, { status: 304, headers });
  const encoding = chooseEncoding(asset, request.headers.get("accept-encoding") ?? "");
  if (encoding) headers["content-encoding"] = encoding[1];
  const file = await openFile(asset.path + (encoding?.[0] ?? ""));
  for (const [name, value] of Object.entries(headers)) file.headers.set(name, value);
  return file;
}
