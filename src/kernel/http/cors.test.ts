import { afterAll, expect, test } from "bun:test";
import { cors } from "@elysiajs/cors";
import { createHttpApp, guarded } from "../../../tests/kit/http-app.ts";
import { open, ruleOf } from "./access.ts";

// The last one is a text like the others: it does not stand for any origin.
const LISTED = ["https://ok.example", "https://second.example:8443", "*"];
const ASKS = { "access-control-request-method": "POST", "access-control-request-headers": "x-anything" };

function listen(allowedOrigins: string[]) {
  const { app } = createHttpApp((ctx) => guarded(ctx).get("/api/thing", () => "here", { access: open() }), {
    allowedOrigins,
  });
  app.listen({ hostname: "127.0.0.1", port: 0 });
  afterAll(() => app.stop(true));
  return app;
}
const listing = listen(LISTED);
const plain = listen([]);

/** What an answer says about origins, by name. */
async function granted(
  method: string,
  headers: Record<string, string>,
  path = "/api/thing",
  app = listing,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${app.server?.port}${path}`, { method, headers });
  const said = [...answer.headers].filter(([name]) => name.startsWith("access-control-") || name === "vary");
  return { status: answer.status, ...Object.fromEntries(said) };
}

test.each(LISTED)("%s is told that it may call, and what it may read", async (origin) => {
  expect(await granted("GET", { origin })).toEqual({
    status: 200,
    vary: "origin",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "retry-after, x-build, x-request-id",
  });
});

test("the preflight of a listed origin is answered for every path, with what may be sent", async () => {
  for (const path of ["/api/thing", "/api/nothing", "/", "/assets/none.js"]) {
    expect(await granted("OPTIONS", { origin: "https://ok.example", ...ASKS }, path)).toEqual({
      status: 204,
      vary: "origin",
      "access-control-allow-origin": "https://ok.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "retry-after, x-build, x-request-id",
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "authorization, content-type, last-event-id, x-api-key",
      "access-control-max-age": "600",
    });
  }
});

test.each([
  "https://evil.example",
  "http://ok.example",
  "https://OK.example",
  "https://ok.example:443",
  "https://ok.example.evil.example",
  "https://ok.example, https://evil.example",
  "ok.example",
  "x://https://ok.example",
  "null",
  "constructor",
  "",
])("%p is not listed: it is told nothing, and its preflight finds nothing", async (origin) => {
  expect(await granted("GET", { origin })).toEqual({ status: 200, vary: "origin" });
  expect(await granted("OPTIONS", { origin, ...ASKS })).toEqual({ status: 404, vary: "origin" });
});

test("OPTIONS that is no preflight finds nothing, whoever asks", async () => {
  expect(await granted("OPTIONS", { origin: "https://ok.example" })).toMatchObject({ status: 404 });
  expect(await granted("OPTIONS", ASKS)).toEqual({ status: 404, vary: "origin" });
});

test("without a list no answer speaks of origins", async () => {
  const headers = { origin: "https://ok.example" };
  expect(await granted("GET", headers, "/api/thing", plain)).toEqual({ status: 200 });
  expect(await granted("OPTIONS", { ...headers, ...ASKS }, "/api/thing", plain)).toEqual({ status: 404 });
});

test("a list adds no route", () => {
  expect(listing.routes.filter(({ method }) => method === "OPTIONS")).toEqual([]);
});

// Why the package is asked instead of mounted. Each of these that fails one day makes our layer smaller.
test("mounted, the package would let in more than the list says", async () => {
  const mounted = cors({ origin: ["https://ok.example"] });
  expect(mounted.routes.map((route) => [route.method, route.path, ruleOf(route)])).toEqual([
    ["OPTIONS", "/", null],
    ["OPTIONS", "/*", null],
  ]);
  const ask = async (origin: string, method: string) => {
    const answer = await mounted.handle(new Request("http://localhost/", { method, headers: { origin } }));
    const said = ["allow-origin", "allow-credentials"].map((name) => answer.headers.get(`access-control-${name}`));
    return [answer.status, ...said];
  };
  expect(await ask("https://evil.example", "OPTIONS")).toEqual([204, null, "true"]);
  expect(await ask("https://evil.example", "GET")).toEqual([404, null, "true"]);
  expect(await ask("x://https://ok.example", "GET")).toEqual([404, "x://https://ok.example", "true"]);
  expect(await ask("constructor", "GET")).toEqual([404, "constructor", "true"]);
});
