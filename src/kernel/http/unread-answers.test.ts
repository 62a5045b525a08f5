import { afterAll, expect, test } from "bun:test";
import { createHttpApp, guarded, jsonOf, trusted } from "../../../tests/kit/http-app.ts";

/** An answer of fifteen megabytes. */
const rows = Array.from({ length: 15 }, (_, no) => `${no % 10}`.repeat(1_000_000));
const access = trusted();
const http = createHttpApp(
  (ctx) =>
    guarded(ctx)
      .get("/api/rows", () => ({ rows }), { access })
      .get(
        "/api/own",
        ({ set }) => {
          set.headers["content-type"] = "application/own+json";
          return { rows };
        },
        { access },
      )
      .get(
        "/api/ready",
        ({ set }) => {
          set.headers["content-type"] = "application/json;charset=utf-8";
          return JSON.stringify({ rows });
        },
        { access },
      )
      .get("/api/small", () => ({ rows: [] }), { access })
      .post("/api/rows", () => ({ rows }), { access }),
  { authorize: async ({ request }) => request.headers.get("who") ?? "" },
);
http.app.listen({ hostname: "127.0.0.1", port: 0 });
afterAll(() => http.app.server?.stop(true));

const ask = (who: string, path = "/api/rows", method = "GET") => http.fetch(method, path, { headers: { who } });

test.each([{}, { "accept-encoding": "gzip" }])(
  "a large answer arrives whole (%j)",
  async (headers: Record<string, string>) => {
    const url = `http://127.0.0.1:${http.app.server?.port}/api/rows`;
    const answers = await Promise.all(
      Array.from({ length: 3 }, async (_, no) => (await fetch(url, { headers: { who: `${no}`, ...headers } })).text()),
    );
    for (const answer of answers) expect(answer === JSON.stringify({ rows })).toBe(true);
  },
);

test.each([
  ["own", "application/own+json"],
  ["ready", "application/json;charset=utf-8"],
])("%s answers keep their type, and count as others do", async (name, type) => {
  const [first, second] = [await ask(name, `/api/${name}`), await ask(name, `/api/${name}`)];
  expect((await ask(name, `/api/${name}`)).status).toBe(429);
  expect([first.headers.get("content-type"), await first.text()]).toEqual([type, JSON.stringify({ rows })]);
  await second.body?.cancel();
});

test("who leaves large answers unread gets no more of them, others do, and there is room once one is read or given up", async () => {
  const [first, second] = [await ask("glutton"), await ask("glutton")];
  expect([first.status, second.status]).toEqual([200, 200]);
  const refused = await ask("glutton");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await jsonOf(refused)).code).toBe("too_many_requests");
  expect((await ask("glutton", "/api/small")).status).toBe(200);
  // What was done is not done again for want of an answer.
  expect((await ask("glutton", "/api/rows", "POST")).status).toBe(200);
  expect(await jsonOf(await ask("somebody else"))).toEqual({ rows });
  expect(await jsonOf(first)).toEqual({ rows });
  const third = await ask("glutton");
  expect([third.status, (await ask("glutton")).status]).toEqual([200, 429]);
  await third.body?.cancel();
  await second.body?.cancel();
  const last = await ask("glutton");
  expect(last.status).toBe(200);
  // What others leave unread makes less room for everybody.
  await last.body?.cancel();
});
