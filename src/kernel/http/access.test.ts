import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { Elysia, t } from "elysia";
import { createHttpApp, guarded, jsonOf, type TestRule, trusted } from "../../../tests/kit/http-app.ts";
import { type Authorize, open } from "./access.ts";
import { kernelFail } from "./errors.ts";
import { formatRoutes } from "./route-table.ts";

const Name = t.Object({ name: t.String() });
const json = { "content-type": "application/json" };

/** Counts its decisions and refuses who has no header `who`. */
function countingAuthorize() {
  const asked: { rule: TestRule; ip: string }[] = [];
  const authorize: Authorize<string, TestRule> = async ({ request, ip }, rule) => {
    asked.push({ rule, ip });
    const who = request.headers.get("who");
    if (who === null) throw kernelFail("unauthorized");
    return who;
  };
  return { asked, authorize };
}

function createGuardedApp() {
  const { asked, authorize } = countingAuthorize();
  const http = createHttpApp(
    (ctx) =>
      guarded(ctx)
        .get("/api/things", ({ actor, ip }) => ({ actor, ip }), { access: trusted() })
        .get("/api/things/:id", ({ params }) => params, {
          access: trusted(),
          params: t.Object({ id: t.String({ maxLength: 3 }) }),
        })
        .post("/api/things", ({ actor, body }) => ({ actor, name: body.name }), {
          access: trusted("fully"),
          body: Name,
        })
        .post("/api/raw", async ({ request }) => ({ bytes: (await request.arrayBuffer()).byteLength }), {
          access: trusted("partly"),
          parse: "none",
        })
        .delete("/api/things", ({ actor }) => ({ actor }), { access: trusted("partly") }),
    { authorize },
  );
  return { http, asked };
}

test.each([
  ["a malformed body", "POST", "/api/things", "{"],
  ["a body that does not fit", "POST", "/api/things", "{}"],
  ["a body that is too large", "POST", "/api/things", "x".repeat(1_100_000)],
  ["a raw body", "POST", "/api/raw", "x"],
  ["a parameter that does not fit", "GET", "/api/things/toolong", undefined],
])("without credentials %s is 401: validation tells strangers nothing", async (_what, method, path, body) => {
  const { http } = createGuardedApp();
  const { status } = await http.fetch(method, path, body === undefined ? {} : { body, headers: json });
  expect(status).toBe(401);
});

test("the rule is decided once a request, and its answer reaches the handler", async () => {
  const { http, asked } = createGuardedApp();
  const posted = await http.fetch("POST", "/api/things", { body: '{"name":"x"}', headers: { ...json, who: "ada" } });
  expect(await posted.json()).toEqual({ actor: "ada", name: "x" });
  expect(asked).toEqual([{ rule: trusted("fully"), ip: "127.0.0.1" }]);
  const got = await http.fetch("GET", "/api/things", { headers: { who: "ada" } });
  expect(await got.json()).toEqual({ actor: "ada", ip: "127.0.0.1" });
  expect(asked).toHaveLength(2);
});

test("with credentials the parser and the schema have their say", async () => {
  const { http } = createGuardedApp();
  const headers = { ...json, who: "ada" };
  const post = async (body: string, extra: Record<string, string> = {}) =>
    (await http.fetch("POST", "/api/things", { body, headers: { ...headers, ...extra } })).status;
  expect(await post("{")).toBe(400);
  expect(await post("{}")).toBe(400);
  expect(await post('{"name":"x"}')).toBe(200);
  expect(await post('{"name":"x"}', { "content-type": "application/json; charset=utf-8" })).toBe(200);
  expect(await post("x".repeat(1_100_000))).toBe(413);
});

test.each([
  ["application/x-www-form-urlencoded", "name=x"],
  ["text/plain", '{"name":"x"}'],
  ["multipart/form-data; boundary=b", '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n'],
  ["application/jsonp", '{"name":"x"}'],
  ["", '{"name":"x"}'],
])("a body of type %p, which a page of another site could post, is 415", async (type, body) => {
  const { http } = createGuardedApp();
  const headers = type === "" ? { who: "ada" } : { who: "ada", "content-type": type };
  const response = await http.fetch("POST", "/api/things", { body: new TextEncoder().encode(body), headers });
  expect([response.status, (await jsonOf(response)).code]).toEqual([415, "unsupported_media_type"]);
});

test("an empty body needs no type: that is how commands without input are posted", async () => {
  const { http } = createGuardedApp();
  const headers = { who: "ada", "content-type": "application/x-www-form-urlencoded" };
  expect((await http.fetch("DELETE", "/api/things", { body: "", headers })).status).toBe(200);
});

test("a raw route is guarded and reads its own stream", async () => {
  const { http } = createGuardedApp();
  const response = await http.fetch("POST", "/api/raw", { body: new Uint8Array(2_000_000), headers: { who: "ada" } });
  expect(await response.json()).toEqual({ bytes: 2_000_000 });
});

test("rules are published as they are, and printed in the words of their kind", async () => {
  const { http } = createGuardedApp();
  expect(Object.isFrozen(open())).toBe(true);
  expect(formatRoutes(http.routes)).toEqual([
    "GET    /api/openapi.json  open  [kernel]",
    "POST   /api/raw  trusted partly  [test]",
    "DELETE /api/things  trusted partly  [test]",
    "GET    /api/things  trusted little  [test]",
    "POST   /api/things  trusted fully  [test]",
    "GET    /api/things/{id}  trusted little  [test]",
  ]);
  const asked = await http.fetch("GET", "/api/openapi.json", { headers: { who: "ada" } });
  const document = await jsonOf(asked);
  expect(document.paths["/api/things"].post["x-access"]).toEqual({ kind: "trust", level: "fully" });
  expect(document.paths["/api/things/{id}"].get.parameters).toEqual([
    { name: "id", in: "path", required: true, schema: { type: "string", maxLength: 3 } },
  ]);
});

test("a program with a route without a rule, with one of an unknown kind or with a route twice does not start", () => {
  expect(() => {
    createHttpApp(() => new Elysia().get("/api/free", () => "x"));
  }).toThrow("GET /api/free has no access rule");
  expect(() => {
    createHttpApp(() => new Elysia().get("/api/odd", () => "x", { detail: { "x-access": { kind: "odd" } } as never }));
  }).toThrow("GET /api/odd has a rule of the unknown kind odd");
  const other = {
    name: "other",
    routes: (ctx: Parameters<typeof guarded>[0]) => guarded(ctx).get("/api/a", () => "2", { access: open() }),
  };
  expect(() => {
    createHttpApp((ctx) => guarded(ctx).get("/api/a", () => "1", { access: open() }), { extra: [other] });
  }).toThrow("route GET /api/a of other belongs to test already");
});

/** A body that has come to `bytes` and goes on until `end`. */
function openBody(bytes: number) {
  let end = (_rest: string): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from("{".padEnd(bytes)));
      end = (rest) => {
        controller.enqueue(Buffer.from(rest));
        controller.close();
      };
    },
  });
  return { body, end: (rest = "}") => end(rest) };
}

test("bodies that never end hold only so much for one network, and others go on", async () => {
  const http = createHttpApp(
    (ctx) => guarded(ctx).post("/api/take", () => "taken", { access: open(), body: t.Object({}) }),
    { trustedProxies: ["127.0.0.1"], authorize: async () => "" },
  );
  const post = (ip: string, body: string | ReadableStream<Uint8Array>) =>
    http.fetch("POST", "/api/take", { body, headers: { ...json, "x-forwarded-for": ip } });
  const bodies = Array.from({ length: 8 }, () => openBody(1_048_570));
  const answers = bodies.map(({ body }) => post("192.0.2.1", body));
  while (bodies.some(({ body }) => !body.locked)) await Bun.sleep(0);

  const refused = await post("192.0.2.1", openBody(100).body);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await post("192.0.2.2", "{}")).status).toBe(200);
  bodies[0]?.end();
  expect((await answers[0])?.status).toBe(200);
  bodies[1]?.end("no");
  expect((await answers[1])?.status).toBe(400);
  const again = openBody(1_048_570);
  const answer = post("192.0.2.1", again.body);
  for (const { end } of [...bodies.slice(2), again]) end();
  expect(await Promise.all([...answers.slice(2), answer].map(async (each) => (await each).status))).toEqual(
    Array(7).fill(200),
  );
});

test("bodies of 400 networks that never end hold 32 MiB between them, and a short one of somebody else is still read", async () => {
  const http = createHttpApp(
    (ctx) => guarded(ctx).post("/api/take", () => "taken", { access: open(), body: t.Object({}) }),
    { trustedProxies: ["127.0.0.1"], authorize: async () => "" },
  );
  const post = (ip: string, body: string | ReadableStream<Uint8Array>) =>
    http.fetch("POST", "/api/take", { body, headers: { ...json, "x-forwarded-for": ip } });
  const bodies = Array.from({ length: 400 }, () => openBody(1_048_570));
  const refused: Response[] = [];
  const answers = bodies.map(({ body }, at) => post(`192.0.${at >> 8}.${at & 255}`, body));
  for (const answer of answers) void answer.then((each) => each.status === 200 || refused.push(each));
  while (refused.length < 400 - 20) await Bun.sleep(0);

  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
  expect((await post("198.51.100.1", "{}")).status).toBe(200);
  for (const { body, end } of bodies) if (body.locked) end();
  await Promise.all(answers);
});

/** A route that is dear: others have to wait for each of its answers. Who was answered so far, and what comes after each answer. */
function createDearApp(options: Parameters<typeof createHttpApp>[1], onAnswer: (count: number) => void = () => {}) {
  const answered: string[] = [];
  const http = createHttpApp(
    (ctx) =>
      guarded(ctx).get(
        "/api/dear",
        ({ actor }) => {
          void ctx.clock.advance(50);
          answered.push(actor);
          onAnswer(answered.length);
          return {};
        },
        { access: trusted() },
      ),
    options,
  );
  const ask = (headers: Record<string, string> = {}) => http.fetch("GET", "/api/dear", { headers });
  return { http, answered, ask };
}

test("of a crowd that asks for what is dear others are answered in between, and more than may wait is refused", async () => {
  const { authorize } = countingAuthorize();
  const { answered, ...dear } = createDearApp({ authorize });
  const ask = (who: string) => dear.ask({ who });
  // That it is dear is known by the first.
  await ask("many");
  await setImmediate();
  const all = Array.from({ length: 30 }, () => ask("many"));
  const one = ask("one").then(() => answered.indexOf("one"));
  expect(await one).toBeLessThan(8);
  expect((await Promise.all(all)).every(({ status }) => status === 200)).toBe(true);
  const crowd = await Promise.all(Array.from({ length: 300 }, () => ask("many")));
  const refused = crowd.find(({ status }) => status === 429);
  expect([refused?.headers.get("retry-after"), (await jsonOf(refused as Response)).code]).toEqual([
    ...["1", "too_many_requests"],
  ]);
});

test("whose rights change while they wait for their turn acts with what is left of them", async () => {
  let now = "admin";
  const change = (to: string) => {
    now = to;
    http.ctx.accessChanges.changed();
  };
  const authorize: Authorize<string, TestRule> = async () => {
    if (now === "nobody") throw kernelFail("unauthorized");
    return now;
  };
  const { http, answered, ask } = createDearApp({ authorize }, (count) => {
    if (count === 6) change("viewer");
    if (count === 8) change("nobody");
  });
  // That it is dear is known by the first. Of the others four pass at once.
  await ask();
  await setImmediate();
  const all = await Promise.all(Array.from({ length: 10 }, () => ask()));
  expect(answered).toEqual([...Array(6).fill("admin"), "viewer", "viewer"]);
  expect(all.map(({ status }) => status)).toEqual([...Array(7).fill(200), 401, 401, 401]);
});

test("whoever is made less while they send a body acts as what they are then", async () => {
  let now = "admin";
  const http = createHttpApp(
    (ctx) => guarded(ctx).post("/api/take", ({ actor }) => ({ actor }), { access: trusted(), body: t.Object({}) }),
    { authorize: async () => now },
  );
  const slow = openBody(100);
  const answer = http.fetch("POST", "/api/take", { body: slow.body, headers: json });
  while (!slow.body.locked) await setImmediate();
  now = "viewer";
  http.ctx.accessChanges.changed();
  slow.end();
  expect(await jsonOf(await answer)).toEqual({ actor: "viewer" });
});

test("strangers of networks without end go before nobody who is signed in", async () => {
  const { answered, ask } = createDearApp({
    authorize: async ({ request }) => request.headers.get("who") ?? "",
    trustedProxies: ["127.0.0.1"],
  });
  // That it is dear is known by the first.
  await ask({ who: "one" });
  await setImmediate();
  const first = ask({ who: "one" });
  const strangers = Array.from({ length: 100 }, (_, no) => ask({ "x-forwarded-for": `192.0.${no}.1` }));
  await Promise.all([first, ask({ who: "one" })]);
  expect(answered.length).toBeLessThan(12);
  await Promise.all(strangers);
});

test("whoever loses their access while they wait for their turn is not let in", async () => {
  const asked: string[] = [];
  const { http, answered, ...dear } = createDearApp({
    authorize: async ({ request, again }) => {
      const who = request.headers.get("who") ?? "";
      asked.push(who);
      if (who === "one" && again === "read") throw kernelFail("unauthorized");
      return who;
    },
  });
  const ask = (who: string) => dear.ask({ who });
  await ask("many");
  await setImmediate();
  const all = Array.from({ length: 5 }, () => ask("many"));
  const one = ask("one");
  // Within one turn of the event loop, so that nobody who waits is let in before it.
  for (let no = 0; no < 200; no++) await Promise.resolve();
  expect([asked.filter((who) => who === "one"), answered.includes("one")]).toEqual([["one"], false]);
  http.ctx.accessChanges.changed();
  expect((await one).status).toBe(401);
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(answered).not.toContain("one");
});

test("strangers send fewer values than those who are known", async () => {
  const body = t.Object({ values: t.Array(t.Number()) });
  const http = createHttpApp(
    (ctx) =>
      guarded(ctx)
        .post("/api/open", () => ({}), { access: open(), body })
        .post("/api/known", () => ({}), { access: trusted(), body }),
    { authorize: async () => "somebody" },
  );
  const statusOf = async (path: string, count: number) =>
    (await http.fetch("POST", path, { body: JSON.stringify({ values: Array(count).fill(0) }), headers: json })).status;
  expect([await statusOf("/api/open", 900), await statusOf("/api/open", 1_100)]).toEqual([200, 400]);
  expect([await statusOf("/api/known", 49_000), await statusOf("/api/known", 51_000)]).toEqual([200, 400]);
});

test("strangers who begin bodies and send none of them take no room of those who are signed in behind the same network", async () => {
  const http = createHttpApp(
    (ctx) =>
      guarded(ctx)
        .post("/sign-in", ({ body }) => body, { access: open(), body: Name })
        .post("/things", ({ body }) => body, { access: trusted(), body: Name }),
    { authorize: async ({ request }) => request.headers.get("who") ?? "" },
  );
  const begun = Array.from({ length: 300 }, () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("{")) });
    return http.fetch("POST", "/sign-in", { headers: json, body });
  });
  // The surplus of the strangers is refused; all the room of their network is taken then.
  expect((await Promise.race(begun)).status).toBe(429);
  const stranger = http.fetch("POST", "/sign-in", { headers: json, body: '{"name":"ada"}' });
  const member = http.fetch("POST", "/things", { headers: { ...json, who: "ada" }, body: '{"name":"ada"}' });
  expect([(await stranger).status, (await member).status]).toEqual([429, 200]);
});
