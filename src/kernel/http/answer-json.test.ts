import { afterAll, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { t } from "elysia";
import { createHttpApp, guarded, trusted } from "../../../tests/kit/http-app.ts";
import { sse } from "./sse.ts";

const rows = Array.from({ length: 200 }, (_, number) => ({ id: `row_${number}`, name: "a name that repeats" }));
const access = trusted();
const http = createHttpApp(
  (ctx) =>
    guarded(ctx)
      .get("/api/rows", () => rows, { access, response: t.Array(t.Object({ id: t.String(), name: t.String() })) })
      .get(
        "/api/made",
        ({ set }) => {
          set.status = 203;
          set.headers["x-own"] = "kept";
          return { rows };
        },
        { access },
      )
      .get("/api/small", () => ({ id: "row_1" }), { access })
      .get("/api/text", () => "x".repeat(5_000), { access })
      .get("/api/file", () => new Response(JSON.stringify(rows), { headers: { "content-type": "application/json" } }), {
        access,
      })
      .get(
        "/api/stream",
        ({ request, server }) =>
          sse(ctx, { request, server }, async function* () {
            yield { event: "all", data: rows };
          }),
        { access },
      )
      .post("/api/rows", () => rows, { access }),
  { allowedOrigins: ["https://ok.example"] },
);
http.app.listen({ hostname: "127.0.0.1", port: 0 });
afterAll(() => http.app.server?.stop(true));

/** The bytes as they came, and what they say. */
async function ask(path: string, headers: Record<string, string>, method = "GET") {
  const answer = await fetch(`http://127.0.0.1:${http.app.server?.port}${path}`, {
    method,
    headers,
    decompress: false,
  });
  return { answer, coding: answer.headers.get("content-encoding"), bytes: new Uint8Array(await answer.arrayBuffer()) };
}
const DECODERS = {
  zstd: (bytes: Uint8Array<ArrayBuffer>) => Bun.zstdDecompressSync(bytes),
  br: brotliDecompressSync,
  gzip: gunzipSync,
} as const;

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "br"],
  ["gzip, deflate", "gzip"],
  ["zstd;q=0, br;q=0, *", "gzip"],
] as const)("JSON for a reader that takes %p is sent as %p, smaller and the same", async (accept, name) => {
  const plain = await ask("/api/rows", { "accept-encoding": "identity" });
  const { answer, coding, bytes } = await ask("/api/rows", { "accept-encoding": accept });
  expect([answer.status, coding, answer.headers.get("vary")]).toEqual([200, name, "origin, accept-encoding"]);
  expect(answer.headers.get("content-type")).toBe(plain.answer.headers.get("content-type"));
  expect(answer.headers.get("content-length")).toBe(String(bytes.length));
  expect(bytes.length).toBeLessThan(plain.bytes.length / 4);
  expect(JSON.parse(DECODERS[name](bytes).toString())).toEqual(rows);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("status and headers of the handler stay", async () => {
  const { answer, coding } = await ask("/api/made", { "accept-encoding": "gzip" });
  expect([answer.status, coding, answer.headers.get("x-own")]).toEqual([203, "gzip", "kept"]);
});

test.each([
  ["what is small", "/api/small", {}],
  ["a text", "/api/text", {}],
  ["what a handler answers itself", "/api/file", {}],
  ["a stream", "/api/stream", {}],
  ["what another site has a browser ask for", "/api/rows", { "sec-fetch-site": "cross-site" }],
  ["what a neighbour has a browser ask for", "/api/rows", { "sec-fetch-site": "same-site" }],
  ["an error", "/api/nothing", {}],
  ["an asset that is not there", "/assets/none.js", {}],
])("%s goes out as it is", async (_what, path, headers) => {
  expect((await ask(path, { "accept-encoding": "gzip, br", ...headers })).coding).toBeNull();
});

test("so does the answer to anything but a question", async () => {
  expect((await ask("/api/rows", { "accept-encoding": "gzip" }, "POST")).coding).toBeNull();
  expect((await ask("/api/rows", { "accept-encoding": "identity" })).coding).toBeNull();
});

test("errors keep their words and their status, whoever reads them", async () => {
  for (const accept of ["identity", "gzip, br, zstd"]) {
    const { answer, bytes } = await ask("/api/nothing", { "accept-encoding": accept });
    expect([answer.status, JSON.parse(new TextDecoder().decode(bytes)).code]).toEqual([404, "not_found"]);
  }
});
