import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { createHttpApp, guarded, type HttpApp, jsonOf } from "../../../tests/kit/http-app.ts";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { ruleOf } from "./access.ts";

const root = makeScratch("ui");
const uiRoot = join(root, "ui");
let http: HttpApp;

const write = (path: string, text: string) => writeFileSync(join(uiRoot, path), text);

beforeAll(() => {
  mkdirSync(join(uiRoot, "assets"), { recursive: true });
  writeFileSync(join(root, "secret.txt"), "outside");
  write("index.html", '<script nonce="__NONCE__" src="/assets/app-1a2b.js"></script><style nonce="__NONCE__"></style>');
  write("assets/app-1a2b.js", "plain()");
  write("assets/app-1a2b.js.br", "BR");
  write("assets/app-1a2b.js.gz", "GZ");
  write("assets/app-1a2b.js.map", "{}");
  write("favicon.svg", "<svg/>");
  write("worker.js", "work()");
  http = createHttpApp((ctx) => guarded(ctx), { uiRoot });
});
afterAll(() => rmSync(root, { recursive: true }));

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await http.fetch("GET", path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("a hashed asset may be kept for ever; what has no hash is asked for again", async () => {
  const asset = await get("/assets/app-1a2b.js");
  expect([asset.status, asset.text]).toEqual([200, "plain()"]);
  expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(asset.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const icon = await get("/favicon.svg");
  expect([icon.headers.get("cache-control"), icon.headers.get("content-type")]).toEqual(["no-cache", "image/svg+xml"]);
});

test.each([
  ["br, gzip", "br", "BR"],
  ["gzip, deflate, br", "br", "BR"],
  ["gzip", "gzip", "GZ"],
  ["*", "br", "BR"],
  ["br;q=0, gzip", "gzip", "GZ"],
  ["br;q=0.000, gzip;q=0.5", "gzip", "GZ"],
  ["BR;Q=1", "br", "BR"],
  ["br;q=0, *", "gzip", "GZ"],
  ["br;q=0, gzip;q=0", null, "plain()"],
  ["*;q=0", null, "plain()"],
  ["identity", null, "plain()"],
  ["x-gzip, broken", null, "plain()"],
  ["", null, "plain()"],
])("a client that takes %p gets %p", async (accept, encoding, text) => {
  const asset = await get("/assets/app-1a2b.js", { "accept-encoding": accept });
  expect([asset.headers.get("content-encoding"), asset.text]).toEqual([encoding, text]);
  expect(asset.headers.get("vary")).toBe("accept-encoding");
});

test("the service worker may ask for files of this server and nothing else, and is asked for again each time", async () => {
  const { headers, text } = await get("/worker.js");
  expect([text, headers.get("cache-control")]).toEqual(["work()", "no-cache"]);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'; frame-ancestors 'none'");
});

test("a client with the current copy gets 304 without a body", async () => {
  const tag = (await get("/favicon.svg")).headers.get("etag") ?? "";
  expect(tag).toStartWith('W/"');
  for (const known of [tag, tag.slice(2), `"other", ${tag}`, "*"]) {
    const { status, text, headers } = await get("/favicon.svg", { "if-none-match": known });
    expect([status, text, headers.get("etag")]).toEqual([304, "", tag]);
  }
  expect((await get("/favicon.svg", { "if-none-match": '"other"' })).status).toBe(200);
});

test("a changed file of the same length and name has another tag", async () => {
  const before = (await get("/favicon.svg")).headers.get("etag");
  write("favicon.svg", "<gvs/>");
  http = createHttpApp((ctx) => guarded(ctx), { uiRoot });
  const after = await get("/favicon.svg", { "if-none-match": before ?? "" });
  expect([after.status, after.text]).toEqual([200, "<gvs/>"]);
});

test.each(["/", "/apps", "/apps/app_1/logs", "/?tab=1"])("%s is the page, with a nonce of its own", async (path) => {
  const pages = [await get(path), await get(path)];
  const nonces = pages.map(({ headers, text, status }) => {
    const policy = headers.get("content-security-policy") ?? "";
    const nonce = /script-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? "none";
    expect(status).toBe(200);
    expect(text).toBe(`<script nonce="${nonce}" src="/assets/app-1a2b.js"></script><style nonce="${nonce}"></style>`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).not.toContain("unsafe-");
    expect(headers.get("cache-control")).toBe("no-store");
    return nonce;
  });
  expect(new Set(nonces).size).toBe(2);
});

test.each([
  "/assets/none.js",
  "/assets/none",
  "/assets",
  "/nothing.png",
  "/index.html",
  "/assets/app-1a2b.js.br",
  "/assets/app-1a2b.js.map",
  "/api",
  "/api/nothing",
  "/ws/nothing",
  "/secret.txt",
  "/../secret.txt",
  "/assets/../../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/assets/..%5c..%5csecret.txt",
  "//secret.txt",
])("%s is 404 JSON, never the page and never a file from outside", async (path) => {
  const { status, text } = await get(path);
  expect([status, JSON.parse(text).code]).toEqual([404, "not_found"]);
});

test.each(["/", "/assets/app-1a2b.js", "/nothing.png", "/api/nothing"])(
  "%s carries the security headers",
  async (path) => {
    const { headers } = await get(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
  },
);

test("HEAD answers as GET does, without a body", async () => {
  for (const path of ["/", "/assets/app-1a2b.js"]) {
    const head = await http.fetch("HEAD", path);
    expect([head.status, head.headers.get("content-type")]).toEqual([
      200,
      (await get(path)).headers.get("content-type"),
    ]);
  }
});

test("a build without a dashboard says so, and serves it once it is there", async () => {
  const late = join(root, "late");
  const app = createHttpApp((ctx) => guarded(ctx), { uiRoot: late });
  const missing = await app.fetch("GET", "/");
  expect([missing.status, (await jsonOf(missing)).code]).toEqual([503, "unavailable"]);
  mkdirSync(late);
  writeFileSync(join(late, "index.html"), "now");
  expect(await (await app.fetch("GET", "/")).text()).toBe("now");
});

test("a listening server knows lengths and sends parts of files, compressed ones too", async () => {
  http.app.listen({ hostname: "127.0.0.1", port: 0 });
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`http://127.0.0.1:${http.app.server?.port}/assets/app-1a2b.js`, {
      headers,
      decompress: false,
    });
    const said = ["content-length", "content-range", "content-encoding", "content-disposition", "last-modified"];
    return [answer.status, await answer.text(), ...said.map((name) => answer.headers.get(name))];
  };
  const none = { "accept-encoding": "identity" };
  expect(await ask(none)).toEqual([200, "plain()", "7", null, null, null, null]);
  expect(await ask({ ...none, range: "bytes=1-3" })).toEqual([206, "lai", "3", "bytes 1-3/7", null, null, null]);
  expect(await ask({ ...none, range: "bytes=9-" })).toEqual([416, "", "0", "bytes */7", null, null, null]);
  const part = { "accept-encoding": "br", range: "bytes=1-" };
  expect(await ask(part)).toEqual([206, "R", "1", "bytes 1-1/2", "br", null, null]);
  await http.app.server?.stop(true);
});

// Why the package is asked instead of mounted. Each of these that fails one day makes our layer smaller.
test("mounted, the package would lack rules, types, twins, the nonce and proper tags", async () => {
  const mounted = await staticPlugin({ assets: uiRoot, prefix: "", alwaysStatic: false });
  expect(mounted.routes.map((route) => [route.method, route.path, ruleOf(route)])).toEqual([
    ["GET", "/index.html", null],
    ["GET", "", null],
    ["GET", "/*", null],
  ]);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    mounted.handle(new Request(`http://localhost${path}`, { headers }));
  expect(await (await ask("/index.html")).text()).toContain('nonce="__NONCE__"');
  expect((await ask("/apps")).status).toBe(404);
  expect((await ask("/assets/app-1a2b.js.map")).status).toBe(200);
  const asset = await ask("/assets/app-1a2b.js", { "accept-encoding": "br" });
  expect(asset.headers.get("content-encoding")).toBeNull();
  expect(asset.headers.get("cache-control")).toBe("public, max-age=86400");
  // A tag without quotes is none to a proxy, and a list of tags is not understood.
  const tag = asset.headers.get("etag") ?? "";
  expect(tag).not.toContain('"');
  expect((await ask("/assets/app-1a2b.js", { "if-none-match": `W/"other", ${tag}` })).status).toBe(200);
});

test("the package fails where there is no folder, which is why it is asked late", async () => {
  await expect(staticPlugin({ assets: join(root, "none"), prefix: "" })).rejects.toThrow("ENOENT");
});
