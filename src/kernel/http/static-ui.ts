import { existsSync, readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { Elysia } from "elysia";
import type { Ids } from "../../lib/ids.ts";
import { kernelFail } from "./errors.ts";
import { pathOf } from "./request-log.ts";

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

const IMMUTABLE = "public, max-age=31536000, immutable";
const NONCE_MARK = "__NONCE__";

interface Asset {
  path: string;
  type: string;
  encodings: Set<string>;
  cacheControl: string;
  etag: string;
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
      path: join(root, file),
      type,
      encodings: new Set(["br", "gz"].filter((suffix) => known.has(`${file}.${suffix}`))),
      cacheControl: file.startsWith("assets/") ? IMMUTABLE : "no-cache",
      etag: `"${statSync(join(root, file)).size.toString(16)}-${Bun.hash(file).toString(36)}"`,
    });
  }
  return assets;
}

/** The best stored twin a client accepts, as `[file suffix, content-encoding]`. */
function chooseEncoding(asset: Asset, accept: string): [string, string] | null {
  if (asset.encodings.has("br") && /\bbr\b/.test(accept)) return [".br", "br"];
  if (asset.encodings.has("gz") && /\bgzip\b/.test(accept)) return [".gz", "gzip"];
  return null;
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
 */
export function staticUi(root: string, ids: Ids) {
  const assets = listAssets(root);
  let page: Promise<string> | null = null;

  async function respond(request: Request): Promise<Response> {
    const path = pathOf(request.url);
    const asset = assets.get(path);
    if (asset) return sendAsset(asset, request);
    const isFile = extname(path) !== "" || path.startsWith("/assets/");
    if (isFile || path.startsWith("/api/") || path.startsWith("/ws/")) throw kernelFail("not_found");
    page ??= Bun.file(join(root, "index.html")).text();
    const nonce = ids.token(16);
    return new Response((await page).replaceAll(NONCE_MARK, nonce), { headers: pageHeaders(nonce) });
  }

  return new Elysia({ name: "static-ui" })
    .get("/*", ({ request }) => respond(request), { detail: { hide: true } })
    .head("/*", ({ request }) => respond(request), { detail: { hide: true } });
}

function sendAsset(asset: Asset, request: Request): Response {
  const headers: Record<string, string> = {
    "content-type": asset.type,
    "cache-control": asset.cacheControl,
    etag: asset.etag,
    vary: "accept-encoding",
  };
  if (request.headers.get("if-none-match") === asset.etag) return new Response(null, { status: 304, headers });
  const encoding = chooseEncoding(asset, request.headers.get("accept-encoding") ?? "");
  if (encoding) headers["content-encoding"] = encoding[1];
  return new Response(Bun.file(asset.path + (encoding?.[0] ?? "")), { headers });
}
