import { afterAll, expect, test } from "bun:test";
import { t } from "elysia";
import { createHttpApp, guarded } from "../../../tests/kit/http-app.ts";
import { sendRaw } from "../../../tests/kit/raw-http.ts";
import { open } from "./access.ts";
import { pathOf, queryOf } from "./request-head.ts";

const access = open();
const query = t.Object({ limit: t.Optional(t.Integer({ minimum: 1 })) });

const http = createHttpApp((ctx) =>
  guarded(ctx)
    .get("/api/list", ({ path }) => ({ path }), { access, query })
    .get(
      "/api/hooked",
      () => {
        // What looks at this error fails itself, our own error handler included.
        throw Object.defineProperty(new Error("secret"), "cause", {
          get: () => {
            throw new Error("secret of an error handler");
          },
        });
      },
      { access },
    ),
);
// What is refused here arrives over a wire only: no client would send it.
http.app.listen({ hostname: "127.0.0.1", port: 0 });
const port = http.app.server?.port ?? 0;
afterAll(() => http.app.server?.stop(true));

const get = (target: string, ...headers: string[]) =>
  sendRaw(port, [`GET ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n"));

const HOSTILE = [
  "a b",
  "",
  "http://x",
  "a/api/list?limit=-1#",
  "x@y",
  "[",
  "[::1",
  "a\tb",
  "%",
  "%00",
  "a:99999",
  "a:b",
  "256.1.1.1",
  "\xe9",
  "a,b",
  "<script>",
  "a#b",
  "a?b",
  "a\\b",
  ".",
  "a".repeat(300),
];

for (const host of HOSTILE) {
  test(`Host: ${JSON.stringify(host).slice(0, 40)} is refused by name, whatever else is wrong`, async () => {
    for (const target of ["/api/list", "/api/list?limit=-1", "/nothing", "/api/%ff"]) {
      const { status, head, body } = await get(target, `Host: ${host}`);
      expect({ status, params: JSON.parse(body).params }).toEqual({
        status: 400,
        params: { field: "host", reason: "is not one name or address with an optional port" },
      });
      expect(head).toContain("content-security-policy: default-src 'none'");
    }
  });
}

test("ordinary hosts are taken", async () => {
  for (const host of [
    "localhost",
    "a",
    "my_nas:3100",
    "box.local.",
    "192.0.2.7:80",
    "[::1]:3100",
    "[2001:db8::1]",
    "xn--bcher-kva.example",
    "A.Example:",
  ]) {
    expect([host, (await get("/api/list", `Host: ${host}`)).status]).toEqual([host, 200]);
  }
});

test("two Host headers are refused, alike or not", async () => {
  for (const second of ["a.example", "b.example"]) {
    const { status, body } = await get("/api/list", "Host: a.example", `Host: ${second}`);
    expect([status, JSON.parse(body).params.field]).toEqual([400, "host"]);
  }
});

test("HTTP/1.0 without a Host is refused with words, on every path", async () => {
  for (const target of ["/api/list", "/api/list?limit=-1", "/", "/nothing/at/all"]) {
    const { status, body } = await sendRaw(port, `GET ${target} HTTP/1.0\r\n\r\n`);
    expect([status, JSON.parse(body).message]).toEqual([400, "host: is missing; send the address that you call"]);
  }
  expect((await sendRaw(port, "GET /api/list HTTP/1.0\r\nHost: localhost\r\n\r\n")).status).toBe(200);
});

test("a short host does not hide the first folder of a path", async () => {
  expect((await get("/abcd/api/list", "Host: a")).body).not.toContain("path");
  expect(JSON.parse((await get("/api/list", "Host: a")).body)).toEqual({ path: "/api/list" });
});

test("an error that no handler took is answered in our words, without its text", async () => {
  const { status, head, body } = await get("/api/hooked", "Host: localhost");
  expect(status).toBe(500);
  expect(JSON.parse(body).code).toBe("internal");
  expect(body).not.toContain("secret");
  expect(head).toContain("content-security-policy: default-src 'none'");
  expect(head).toContain("x-request-id: req_");
  expect(http.lines.some(({ error_id }) => error_id === JSON.parse(body).params.error_id)).toBe(true);
});

test("path and query are read from any URL that the runtime hands out", () => {
  const read = (url: string) => [pathOf(url), queryOf(url).get("q")];
  expect(read("http://a/api?q=1")).toEqual(["/api", "1"]);
  expect(read("/api/list?q=2")).toEqual(["/api/list", "2"]);
  expect(read("http://[/x?q=%ff")).toEqual(["/x", "\ufffd"]);
  expect(read("http://a.example/")).toEqual(["/", null]);
});
