import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { t } from "elysia";
import { createHttpApp, guarded, jsonOf } from "../../../tests/kit/http-app.ts";
import { open } from "./access.ts";
import { AppError, defineErrors, kernelFail } from "./errors.ts";

const fail = defineErrors({
  name_taken: [409, "The name {name} is taken; {suggestion} is free."],
  upgrade_required: [402, "This needs {plan}.", ({ plan }) => ({ error: "upgrade_required", required_plan: plan })],
});

const access = open();

const http = createHttpApp(
  (ctx) =>
    guarded(ctx)
      .get(
        "/api/taken",
        () => {
          throw fail("name_taken", { name: "a", suggestion: "b" });
        },
        { access },
      )
      .get(
        "/api/begun",
        ({ set }) => {
          set.headers["content-type"] = "text/csv";
          throw fail("name_taken", { name: "a", suggestion: "b" });
        },
        { access },
      )
      .get(
        "/api/odd",
        () => {
          throw fail("upgrade_required", { plan: "pro" });
        },
        { access },
      )
      .get(
        "/api/wait",
        () => {
          throw kernelFail("too_many_requests", { retry_after_s: 7 }, { "retry-after": "7" });
        },
        { access },
      )
      .get(
        "/api/broken",
        () => {
          throw new Error("secret of the database");
        },
        { access },
      )
      .get(
        "/api/full",
        () => {
          const db = new Database(":memory:");
          db.run("PRAGMA max_page_count = 1");
          db.run("CREATE TABLE things (name TEXT) STRICT");
        },
        { access },
      )
      .get(
        "/api/odder",
        () => {
          throw "just text with a secret";
        },
        { access },
      )
      .get(
        "/api/rejects",
        async () => {
          await Promise.resolve();
          throw new TypeError("secret");
        },
        { access },
      )
      // biome-ignore lint/suspicious/noExplicitAny: the handler answers wrongly on purpose
      .get("/api/mismatch", (): any => ({ token: "hunter2", extra: "hunter2" }), {
        access,
        response: t.Object({ token: t.Number() }),
      })
      .post("/api/input", ({ body }) => body, {
        access,
        body: t.Object({ name: t.String({ maxLength: 5 }), deep: t.Optional(t.Object({ size: t.Integer() })) }),
      })
      .get("/api/query", ({ query }) => query, { access, query: t.Object({ lines: t.Integer({ minimum: 1 }) }) }),
  { errors: fail.table },
);

async function call(method: string, path: string, body?: string) {
  const headers = { "content-type": "application/json" };
  const response = await http.fetch(method, path, body === undefined ? {} : { body, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

test("an error is JSON, whatever its handler was about to answer", async () => {
  const { headers } = await http.fetch("GET", "/api/begun");
  expect(headers.get("content-type")).toStartWith("application/json");
});

test("an error answers its status, its text with the values in, its code and its values", async () => {
  const { status, body } = await call("GET", "/api/taken");
  expect([status, body]).toEqual([
    409,
    {
      error: "The name a is taken; b is free.",
      code: "name_taken",
      message: "The name a is taken; b is free.",
      params: { name: "a", suggestion: "b" },
    },
  ]);
});

test("an odd wire shape is added, headers of an error are sent", async () => {
  expect((await call("GET", "/api/odd")).body).toMatchObject({
    error: "upgrade_required",
    required_plan: "pro",
    code: "upgrade_required",
    message: "This needs pro.",
  });
  const { status, headers } = await call("GET", "/api/wait");
  expect([status, headers.get("retry-after")]).toEqual([429, "7"]);
});

test("a full disk is said, because people can do something about it", async () => {
  const { status, body } = await call("GET", "/api/full");
  expect([status, body.code]).toEqual([507, "disk_full"]);
  expect(body.message).toContain("Free some space");
  expect(http.lines.some((line) => line["error_id"] === body.params.error_id)).toBe(true);
});

test.each(["/api/broken", "/api/odder", "/api/rejects"])(
  "%s: an unknown error is 500 with an id that is in the log, and without its text",
  async (path) => {
    const { status, text, body } = await call("GET", path);
    expect([status, body.code]).toEqual([500, "internal"]);
    expect(text).not.toContain("secret");
    expect(body.params.error_id).toMatch(/^err_/);
    expect(http.lines.find((line) => line["error_id"] === body.params.error_id)).toMatchObject({
      level: "error",
      msg: "request failed inside",
    });
  },
);

test("an answer that does not fit its schema is 500, and its values reach neither caller nor log", async () => {
  const { status, text, body } = await call("GET", "/api/mismatch");
  expect([status, body.code]).toEqual([500, "internal"]);
  expect(text).not.toContain("hunter2");
  const line = http.lines.find((entry) => entry["error_id"] === body.params.error_id);
  expect(line).toMatchObject({ msg: "answer does not fit its schema" });
  expect(JSON.stringify(http.lines)).not.toContain("hunter2");
});

test.each([
  ["a wrong type", '{"name":1}', "name"],
  ["too long", '{"name":"123456"}', "name"],
  ["missing", "{}", "name"],
  ["unknown", '{"name":"a","colour":"red"}', "colour"],
  ["unknown inside", '{"name":"a","deep":{"size":1,"colour":"red"}}', "deep.colour"],
  ["a wrong type inside", '{"name":"a","deep":{"size":1.5}}', "deep.size"],
  ["not an object", "[1]", "body"],
  ["null", "null", "body"],
  ["malformed", '{"name":', "body"],
  ["nested beyond reason", `{"name":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, "body"],
  ["empty", "", "body"],
])("a body with a field that is %s is 400 and names the field", async (_what, given, field) => {
  const { status, body } = await call("POST", "/api/input", given);
  expect([status, body.code, body.params.field]).toEqual([400, "invalid_request", field]);
  expect(body.params.reason).not.toBe("");
});

test.each([["?lines=x"], ["?lines=0"], [""]])(
  "a query %p that does not fit is 400 with the parameter",
  async (query) => {
    const { status, body } = await call("GET", `/api/query${query}`);
    expect([status, body.code, body.params.field]).toEqual([400, "invalid_request", "lines"]);
  },
);

test("an unknown address is 404, for every method", async () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    const { status, body } = await call(method, "/api/nowhere");
    expect([method, status, body.code]).toEqual([method, 404, "not_found"]);
  }
});

test("a placeholder without value stays empty, and a code that is not declared is a programming error", () => {
  expect(fail("name_taken", { name: "a" }).message).toBe("The name a is taken;  is free.");
  expect(fail("name_taken")).toBeInstanceOf(AppError);
});

test("what breaks while a body is read is told as what it is, and not as JSON that is wrong", async () => {
  const away = Object.assign(new Error("Connection closed"), { code: "ERR_POSTGRES_CONNECTION_CLOSED" });
  const answerTo = async (error: Error) => {
    let asked = 0;
    const app = createHttpApp((ctx) => guarded(ctx).post("/api/input", ({ body }) => body, { access }), {
      async authorize(caller) {
        asked += 1;
        // What they may do changed while their body came in.
        if (caller.again === "read") throw error;
        return "tester";
      },
    });
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      app.ctx.accessChanges.changed();
      controller.enqueue(new TextEncoder().encode("{}"));
      controller.close();
    };
    // Nothing of it is fetched before it is read.
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const headers = { "content-type": "application/json" };
    const response = await app.fetch("POST", "/api/input", { body, headers });
    return [asked, response.status, (await jsonOf(response)).code];
  };
  expect(await answerTo(away)).toEqual([2, 503, "unavailable"]);
  const held = Object.assign(new Error("canceling statement due to lock timeout"), { errno: "55P03" });
  expect(await answerTo(held)).toEqual([2, 503, "unavailable"]);
  expect(await answerTo(new Error("secret"))).toEqual([2, 500, "internal"]);
  expect(await answerTo(new SyntaxError("secret"))).toEqual([2, 500, "internal"]);
});
