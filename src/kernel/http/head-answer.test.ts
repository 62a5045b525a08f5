import { afterAll, expect, test } from "bun:test";
import { createHttpApp, guarded, trusted } from "../../../tests/kit/http-app.ts";

const LENGTH = 50_000_000_000;
let pieces = 0;
let closed = 0;
const access = trusted();

/** Fifty gigabytes, as a file of the disk would come. */
function large(): Response {
  const body = new ReadableStream(
    {
      pull(controller) {
        pieces += 1;
        controller.enqueue(new Uint8Array(100));
      },
      cancel() {
        closed += 1;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-length": String(LENGTH), "x-own": "kept" } });
}

const http = createHttpApp((ctx) =>
  guarded(ctx)
    .get("/api/large", large, { access })
    .get("/api/none", () => new Response(null, { status: 204 }), { access })
    .get("/api/unknown", () => new Response("some words"), { access }),
);
http.app.listen({ hostname: "127.0.0.1", port: 0 });
const base = `http://127.0.0.1:${http.app.server?.port}`;
afterAll(() => http.app.stop(true));

const head = (path: string) => fetch(base + path, { method: "HEAD" });

test("HEAD tells the length of a body and reads none of it", async () => {
  const answer = await head("/api/large");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-length")).toBe(String(LENGTH));
  expect(answer.headers.get("x-own")).toBe("kept");
  expect([pieces, closed]).toEqual([0, 1]);
});

test("answers without a body, and of a length that nobody told, are as they were", async () => {
  expect((await head("/api/none")).status).toBe(204);
  expect((await head("/api/unknown")).headers.get("content-length")).toBe("10");
});
