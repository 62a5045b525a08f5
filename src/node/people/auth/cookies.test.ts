import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario } from "../../../../tests/kit/scenario.ts";
import { describeDevice } from "../../../lib/user-agent.ts";
import { setUpOwner } from "./logic.ts";

const OWNER = { username: "ada", password: "correct horse battery" };
const OWN = { origin: "http://localhost" };

let node: TestNode;
beforeEach(() => {
  node = createTestNode({
    trusted_proxies: "127.0.0.1",
    allowed_origins: "https://ok.example",
    anonymous_rate: "100000",
  });
});
afterEach(() => node.close());

/** An admin's session as cookies. */
async function cookiesOf(): Promise<{ cookie: string; sessionId: string }> {
  await node.tokenOf("admin");
  const { session_id, refresh_token } = node.ctx.sessions.begin("usr_admin", { ip: "127.0.0.1", device: "x" });
  const access = node.ctx.sessions.tokens.sign("usr_admin", session_id);
  return { cookie: `access_token=${access}; refresh_token=${refresh_token}`, sessionId: session_id };
}

/** The session that an access token is of. */
const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sid;

const isActive = (sessionId: string) =>
  node.ctx.db.raw.query("SELECT id FROM sessions WHERE id = ? AND revoked_at IS NULL").get(sessionId) !== null;

test.each([
  ["http", {}, ""],
  ["https at a trusted proxy", { "x-forwarded-proto": "https" }, "; Secure"],
])(
  "over %s sign-in sets both cookies with all their attributes, sign-out takes them back",
  async (_over, headers, secure) => {
    await setUpOwner(node.ctx, OWNER, "127.0.0.1");
    const signedIn = await node.call("POST /api/auth/login", { body: OWNER, headers });
    const { access_token, refresh_token } = signedIn.body;
    expect(signedIn.headers.getSetCookie()).toEqual([
      `access_token=${access_token}; Path=/; Max-Age=2592000${secure}; HttpOnly; SameSite=Lax`,
      `refresh_token=${refresh_token}; Path=/api/auth; Max-Age=2592000${secure}; HttpOnly; SameSite=Lax`,
      `signed_in=${sessionOf(access_token)}; Path=/; Max-Age=2592000${secure}; SameSite=Lax`,
    ]);
    const signedOut = await node.call("POST /api/auth/logout", { headers });
    expect(signedOut.headers.getSetCookie()).toEqual([
      `access_token=; Path=/; Max-Age=0${secure}; HttpOnly; SameSite=Lax`,
      `refresh_token=; Path=/api/auth; Max-Age=0${secure}; HttpOnly; SameSite=Lax`,
      `signed_in=; Path=/; Max-Age=0${secure}; SameSite=Lax`,
    ]);
  },
);

/** Asks as a page does that says a key, and keeps the cookies that it is given as a browser does: each for its path. */
function createPage(key: string) {
  const jar = new Map<string, { value: string; path: string }>();
  const cookiesAt = (path: string) =>
    [...jar.values()]
      .filter((one) => one.path === "/" || path === one.path || path.startsWith(`${one.path}/`))
      .map(({ value }) => value);
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = {
      ...OWN,
      host: "localhost",
      cookie: cookiesAt(path).join("; "),
      "content-type": "application/json",
    };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const answer = await node.fetch(new Request(`http://localhost${path}`, init));
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const at = /; Path=([^;]+)/.exec(cookie)?.[1] ?? "";
      const id = `${pair.split("=")[0]} ${at}`;
      if (/; Max-Age=0/.test(cookie)) jar.delete(id);
      else jar.set(id, { value: pair, path: at });
    }
    return answer;
  };
  const namesAt = (path: string) => cookiesAt(path).map((one) => one.split("=")[0]);
  return { ask, namesAt, base: `/~${key}`, hint: () => /signed_in=[^;]*/.exec(cookiesAt("/").join("; "))?.[0] };
}

const KEY = "a-key_of22characters00";

test("what a page signs in with that says its key is sent to no other program of the host", async () => {
  await setUpOwner(node.ctx, OWNER, "127.0.0.1");
  const page = createPage(KEY);
  expect((await page.ask("POST", `${page.base}/api/auth/login`, OWNER)).status).toBe(200);
  for (const path of ["/", "/api/auth/x", "/api/apps", "/~another-key-of22letters/api/auth/refresh"])
    expect(page.namesAt(path)).toEqual(["signed_in"]);
  expect((await page.ask("GET", "/api/auth/me")).status).toBe(401);
  expect((await page.ask("GET", `${page.base}/api/auth/me`)).status).toBe(200);
  expect((await page.ask("POST", `${page.base}/api/auth/refresh`, {})).status).toBe(200);
  expect(page.hint()).toEndWith("~");
  expect((await page.ask("POST", `${page.base}/api/auth/logout`)).status).toBe(200);
  expect(page.namesAt(`${page.base}/api/auth/refresh`)).toEqual([]);
});

test("a page takes over what a sign-in left for all paths", async () => {
  await setUpOwner(node.ctx, OWNER, "127.0.0.1");
  const page = createPage(KEY);
  await page.ask("POST", "/api/auth/login", OWNER);
  expect(page.namesAt("/api/auth/x")).toEqual(["access_token", "refresh_token", "signed_in"]);
  expect(page.hint()).not.toEndWith("~");
  expect((await page.ask("POST", `${page.base}/api/auth/refresh`, {})).status).toBe(401);
  const { refresh_token } = JSON.parse(await (await page.ask("POST", "/api/auth/refresh", {})).text());
  expect((await page.ask("POST", `${page.base}/api/auth/refresh`, { refresh_token })).status).toBe(200);
  expect(page.namesAt("/api/auth/x")).toEqual(["signed_in"]);
  expect(page.hint()).toEndWith("~");
  expect((await page.ask("GET", `${page.base}/api/auth/me`)).status).toBe(200);
});

test.each<[string, Record<string, string>, boolean]>([
  ["our own page", { origin: "http://localhost" }, true],
  [
    "our own page behind a proxy that changes the host",
    { origin: "http://node.example", "x-forwarded-host": "node.example" },
    true,
  ],
  ["our own page, as the browser says", { "sec-fetch-site": "same-origin" }, true],
  ["a listed origin", { origin: "https://ok.example", "sec-fetch-site": "cross-site" }, true],
  ["another site", { origin: "http://evil.example" }, false],
  ["an app on another port of this host", { origin: "http://localhost:9000" }, false],
  [
    "an app on another port, as the browser says",
    { origin: "http://localhost:9000", "sec-fetch-site": "same-site" },
    false,
  ],
  ["another site that forges the origin's text", { origin: "http://localhost.evil.example" }, false],
  ["a sandboxed page", { origin: "null" }, false],
  ["an origin that is no URL", { origin: "localhost" }, false],
  ["a page that says nothing", {}, false],
])("with cookies a change asked for by %s is judged by where it comes from", async (_who, headers, isAllowed) => {
  const { cookie } = await cookiesOf();
  const body = { username: "bob", password: "some fine phrase", role: "viewer" };
  await checkScenario(node, "POST /api/users", {
    headers: { cookie, ...headers },
    body,
    ...(isAllowed ? { status: 200 } : { status: 403, code: "csrf_refused", events: { "*": 0 } }),
  });
  await checkScenario(node, "GET /api/users", { headers: { cookie, ...headers }, status: 200 });
});

test("with a bearer token no origin is asked for: a page cannot add one by itself", async () => {
  const token = await node.tokenOf("admin");
  const headers = { authorization: `Bearer ${token}`, origin: "http://evil.example" };
  await checkScenario(node, "PATCH /api/users/usr_admin", { headers, body: {}, status: 200 });
});

test("a socket cannot be opened with cookies from another site", async () => {
  const { cookie } = await cookiesOf();
  const headers = { cookie, upgrade: "websocket", origin: "http://evil.example" };
  await checkScenario(node, "GET /api/auth/me", { headers, status: 403, code: "csrf_refused" });
  await checkScenario(node, "GET /api/auth/me", { headers: { ...headers, ...OWN }, status: 200 });
});

test.each(["POST /api/auth/setup", "POST /api/auth/login", "POST /api/auth/refresh", "POST /api/auth/logout"])(
  "%s cannot be sent by a page of another site, cookies or not",
  async (route) => {
    for (const headers of [{ origin: "http://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const answer = await checkScenario(node, route, {
        body: OWNER,
        headers,
        status: 403,
        code: "csrf_refused",
        events: { "*": 0 },
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  },
);

test("a form that another page could post is not read", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = "username=eve&password=some+fine+phrase";
  await checkScenario(node, "POST /api/auth/setup", { body, headers, status: 415, code: "unsupported_media_type" });
});

test("the refresh cookie needs our own page; the token in the body does not", async () => {
  const { cookie, sessionId } = await cookiesOf();
  await checkScenario(node, "POST /api/auth/refresh", { headers: { cookie }, status: 403, code: "csrf_refused" });
  expect(isActive(sessionId)).toBe(true);
  const { body } = await checkScenario(node, "POST /api/auth/refresh", { headers: { cookie, ...OWN }, status: 200 });
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token: body.refresh_token }, status: 200 });
});

test.each([
  ["Bearer", 200],
  ["bearer", 200],
  ["BEARER", 200],
  ["Basic", 401],
])("the scheme %s answers %d", async (scheme, status) => {
  const token = await node.tokenOf("viewer");
  expect((await node.call("GET /api/auth/me", { headers: { authorization: `${scheme} ${token}` } })).status).toBe(
    status,
  );
});

test.each([
  "access_token=%E0%A4%A",
  "access_token",
  "access_token=",
  "=",
  ";;;",
  `access_token=${"x".repeat(5_000)}`,
  "access_token=a.b.c",
])("the cookie header %# is no sign-in and no error", async (cookie) => {
  expect((await node.call("GET /api/auth/me", { headers: { cookie } })).status).toBe(401);
});

test.each([
  [null, "Unknown device"],
  ["", "Unknown device"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18 Safari/605", "Safari on macOS"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140 Safari/537 Edg/140", "Edge on Windows"],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537 Chrome/140 Mobile Safari/537", "Chrome on Android"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Safari/604", "Safari on iPhone"],
  ["curl/8.5.0", "curl"],
  ["orrery/1.0 Linux", "Orrery command line on Linux"],
  ["x".repeat(100_000), "Unknown browser"],
])("device %#", (agent, name) => {
  expect(describeDevice(agent)).toBe(name);
});
