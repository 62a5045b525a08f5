import { afterEach, beforeEach, expect, test } from "bun:test";
import { addAccount, bearer, from, logIn, MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { minutes } from "../../../lib/duration.ts";

let node: TestNode;
let token: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "Ada", "member");
  token = (await logIn(node, "Ada")).body.access_token;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown) => node.call(route, { headers: bearer(token), body });
const make = async (name = "Laptop") => (await call("POST /api/drive/webdav-passwords", { name })).body;
const basic = (username: string, password: string): string => `Basic ${btoa(`${username}:${password}`)}`;
const open = (authorization: string | null, ip = "10.0.0.1") =>
  node.call("OPTIONS /dav/drive", { headers: { ...from(ip), ...(authorization === null ? {} : { authorization }) } });

test("a password is shown once, opens the Drive with the name of its user, and tells when it was used", async () => {
  const made = await make();
  expect(made).toMatchObject({ name: "Laptop", username: "Ada", path: "/dav/drive/", last_used_at: null });
  expect(made.password).toMatch(/^([a-z2-9]{6}-){3}[a-z2-9]{6}$/);
  expect(JSON.stringify(node.ctx.db.raw.query("SELECT * FROM dav_passwords").all())).not.toContain(made.password);
  const { status, headers } = await open(basic("Ada", made.password));
  expect([status, headers.get("dav"), headers.get("ms-author-via")]).toEqual([200, "1, 2, 3", "DAV"]);
  expect((await open(basic("ada", made.password.toUpperCase().replaceAll("-", " ")))).status).toBe(200);
  const [listed] = (await call("GET /api/drive/webdav-passwords")).body.passwords;
  const { password: _, username: __, path: ___, ...known } = made;
  expect(listed).toEqual({ ...known, last_used_at: new Date(node.clock.now()).toISOString() });
});

test("nothing else opens it: no account password, no key, no token, no password of somebody else", async () => {
  const { password } = await make();
  await addAccount(node, "bob");
  const { key } = (await call("POST /api/keys", { name: "k" })).body;
  const shown = [
    null,
    "Basic",
    "Basic !",
    basic("Ada", "a long enough phrase"),
    basic("bob", password),
    `Bearer ${token}`,
  ];
  for (const authorization of [...shown, basic("", password), basic("Ada", ""), basic("Ada", key)]) {
    const { status, headers, body } = await open(authorization);
    expect([authorization, status, body.code]).toEqual([authorization, 401, "dav_unauthorized"]);
    expect(headers.get("www-authenticate")).toStartWith("Basic ");
  }
  expect((await node.call("GET /api/auth/me", { headers: { authorization: basic("Ada", password) } })).status).toBe(
    401,
  );
});

test("it ends at once when it is revoked, and with its account", async () => {
  const { id, password } = await make();
  expect((await node.call(`DELETE /api/drive/webdav-passwords/${id}`, { as: "admin" })).status).toBe(404);
  expect((await call(`DELETE /api/drive/webdav-passwords/${id}`)).status).toBe(204);
  expect((await open(basic("Ada", password))).status).toBe(401);
  const other = await make();
  const { id: userId } = (await call("GET /api/auth/me")).body;
  node.ctx.users.change({ user_id: "usr_admin", ip: "host" } as never, userId, { disabled: true });
  expect((await open(basic("Ada", other.password))).status).toBe(401);
});

test("one that a paired app made ends with the app", async () => {
  const { code } = (await call("POST /api/paired-devices/pairings")).body;
  const app = (await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } })).body;
  const made = await node.call("POST /api/drive/webdav-passwords", { headers: bearer(app.token), body: { name: "x" } });
  expect((await open(basic("Ada", made.body.password))).status).toBe(200);
  await call(`DELETE /api/paired-devices/${app.id}`);
  expect((await open(basic("Ada", made.body.password))).status).toBe(401);
});

test("who guesses is slowed down and on record; whoever has the right password is not shut out", async () => {
  const { password } = await make();
  const guess = async (at: number, ip = "10.0.0.1") => (await open(basic("Ada", `guess ${at}`), ip)).status;
  for (let at = 0; at < 30; at += 1) expect(await guess(at)).toBe(401);
  const { status, headers } = await open(basic("Ada", "guess"));
  expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await guess(31, "10.0.0.2")).toBe(401);
  expect((await open(basic("Ada", password))).status).toBe(200);
  await node.ctx.bus.idle();
  expect(node.events.filter(({ name }) => name === "dav_password.refused")).toHaveLength(31);
  await node.clock.advance(minutes(16));
  expect(await guess(32)).toBe(401);
});

test("a page of another site is refused, whatever its browser remembers", async () => {
  const { password } = await make();
  const headers = { authorization: basic("Ada", password), origin: "http://evil.example" };
  const { status, body } = await node.call("PUT /dav/drive/x", { headers });
  expect([status, body.code]).toEqual([403, "csrf_refused"]);
});

test("an account can have fifty", async () => {
  for (let at = 0; at < 50; at += 1) await make();
  expect((await call("POST /api/drive/webdav-passwords", { name: "x" })).body.code).toBe("dav_password_limit");
});
