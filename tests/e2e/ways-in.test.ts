import { afterAll, beforeAll, expect, test } from "bun:test";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, createClient, OWNER, type Reply, setUp } from "../kit/client.ts";
import { suite } from "../kit/env.ts";

/** The wire of passkeys against a real browser's own JSON forms, and uploads against a real connection. */
suite("ways in, on the wire", ["chromium"], () => {
  let node: NodeProcess;
  let owner: Client;
  let browser: TestBrowser;
  let origin: string;
  beforeAll(async () => {
    node = await startNode();
    owner = await setUp(node.url);
    // Browsers offer passkeys on localhost, not on 127.0.0.1.
    origin = node.url.replace("127.0.0.1", "localhost");
    browser = await openBrowser({ host: "localhost" });
    const session = await browser.context.newCDPSession(browser.page);
    await session.send("WebAuthn.enable");
    await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    // Not the sign-in page: it asks for a passkey by itself, and the browser hears one question at a time.
    await browser.page.goto(`${origin}/__ui`);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  /** Runs a script of the page with arguments; its types are the browser's, which these tests do not load. */
  const inPage = (script: string, ...args: unknown[]): Promise<Pick<Reply, "status" | "body">> =>
    browser.page.evaluate(`(${script})(...${JSON.stringify(args)})`);

  const register = (token: string) =>
    inPage(
      `async (bearer) => {
        const headers = { authorization: "Bearer " + bearer, "content-type": "application/json" };
        const begun = await fetch("/api/auth/passkeys/register/begin", { method: "POST", headers });
        const { session_id, options } = await begun.json();
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey);
        const credential = await navigator.credentials.create({ publicKey });
        const body = JSON.stringify({ session_id, name: "Virtual", credential: credential.toJSON() });
        const done = await fetch("/api/auth/passkeys/register/finish", { method: "POST", headers, body });
        return { status: done.status, body: await done.json() };
      }`,
      token,
    );

  /** Answers a sign-in challenge: at `path`, or as an unlock when there is a token. */
  const answer = (path: string, token: string | null) =>
    inPage(
      `async (path, bearer) => {
        const begun = await fetch("/api/auth/passkeys/login/begin", { method: "POST" });
        const { session_id, options } = await begun.json();
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options.publicKey);
        const credential = await navigator.credentials.get({ publicKey });
        const proof = { session_id, credential: credential.toJSON() };
        const headers = { "content-type": "application/json" };
        if (bearer) headers.authorization = "Bearer " + bearer;
        const body = JSON.stringify(bearer ? { passkey: proof } : proof);
        const done = await fetch(path, { method: "POST", headers, body });
        return { status: done.status, body: await done.json() };
      }`,
      path,
      token,
    );

  test("a passkey registers, signs in without a name and unlocks", async () => {
    const made = await register(owner.token);
    expect(made).toMatchObject({ status: 200, body: { name: "Virtual" } });
    const done = await answer("/api/auth/passkeys/login/finish", null);
    expect(done).toMatchObject({ status: 200, body: { user: { username: "owner" } } });
    const fresh = createClient(node.url, done.body.access_token);
    await fresh.ok("POST /api/auth/lock");
    expect((await fresh.call("GET /api/auth/sessions")).status).toBe(423);
    const opened = await answer("/api/auth/unlock", done.body.access_token);
    expect(opened.status).toBe(200);
    expect((await createClient(node.url, opened.body.access_token).call("GET /api/auth/sessions")).status).toBe(200);
    expect((await owner.ok("GET /api/auth/passkeys")).passkeys[0].last_used_at).toBeString();
  });

  test("the lock screen's facts depend on the address", async () => {
    const enabled = async (url: string) => (await createClient(url).ok("GET /api/auth/lock-info")).passkeys_enabled;
    expect(await enabled(origin)).toBe(true);
    expect(await enabled(node.url)).toBe(false);
  });

  test("a picture of two megabytes goes through, a larger one does not", async () => {
    const put = (padding: number) => {
      const picture = Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64",
      );
      const form = new FormData();
      form.append("file", new Blob([picture, Buffer.alloc(padding)]), "me.png");
      const headers = { authorization: `Bearer ${owner.token}` };
      return fetch(`${node.url}/api/profile/avatar`, { method: "PUT", headers, body: form });
    };
    expect((await put(2 * 1024 * 1024 - 200)).status).toBe(200);
    expect((await put(2 * 1024 * 1024)).status).toBe(413);
    expect((await put(6 * 1024 * 1024)).status).toBe(413);
    const { avatar_url } = await owner.ok("GET /api/auth/me");
    const avatar = await fetch(node.url + avatar_url);
    expect([avatar.headers.get("content-type"), avatar.headers.get("cache-control")]).toEqual([
      "image/png",
      "public, max-age=31536000, immutable",
    ]);
  });

  test("the stream of an approval tells the decision at once", async () => {
    const { request_id, code } = await createClient(node.url).ok("POST /api/auth/approve/request", { email: "owner" });
    const seen = createClient(node.url).stream(
      `/api/auth/approve/${request_id}/stream`,
      ({ data }) => data.status !== "pending",
      () => void owner.ok(`POST /api/auth/approve/${request_id}/decide`, { approve: true, code }),
    );
    expect((await seen).map(({ event, data }) => [event, data.status]).at(-1)).toEqual(["status", "approved"]);
    expect((await createClient(node.url).ok(`GET /api/auth/approve/${request_id}`)).access_token).toBeString();
  });

  test("fifty exchanges of one QR code at the same moment give one session", async () => {
    const { session_id, secret } = await createClient(node.url).ok("POST /api/auth/qr/generate");
    await owner.ok("POST /api/auth/qr/approve", { session_id });
    const stranger = createClient(node.url);
    const exchange = () => stranger.call("POST /api/auth/qr/exchange", { session_id, secret });
    const statuses = (await Promise.all(Array.from({ length: 50 }, exchange))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(49);
  });

  test("fifty refreshes of one token at the same moment keep one chain", async () => {
    const stranger = createClient(node.url);
    const { refresh_token } = await stranger.ok("POST /api/auth/login", OWNER);
    const before = (await owner.ok("GET /api/auth/sessions")).length;
    const refresh = () => stranger.ok("POST /api/auth/refresh", { refresh_token });
    const pairs = await Promise.all(Array.from({ length: 50 }, refresh));
    const tokens = new Set(pairs.map((pair) => pair.refresh_token));
    expect([tokens.size, tokens.has(refresh_token)]).toEqual([1, false]);
    expect((await owner.ok("GET /api/auth/sessions")).length).toBe(before);
    await stranger.ok("POST /api/auth/refresh", { refresh_token: [...tokens][0] });
  });
});
