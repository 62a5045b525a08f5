import { expect, test } from "bun:test";
import { t } from "elysia";
import { createHttpApp, guarded, jsonOf, trusted } from "../../../tests/kit/http-app.ts";
import { open, UPLOAD } from "./access.ts";
import { answersAs, noContent, takesFile } from "./answers.ts";
import { kernelFail } from "./errors.ts";

const Thing = t.Object({ id: t.String(), size: t.Optional(t.Integer()) });

const http = createHttpApp((ctx) =>
  guarded(ctx)
    .get("/api/things", () => [], {
      access: trusted(),
      query: t.Object({ limit: t.Optional(t.Integer()), sort: t.String() }),
      response: t.Array(Thing),
    })
    .post("/api/things", ({ body }) => body, { access: trusted("fully"), body: Thing, response: { 201: Thing } })
    .post("/api/things/:id/rename", () => ({}), { access: open(), body: t.Optional(Thing) })
    .delete("/api/things/:id", () => ({}), { access: trusted("fully") }),
);

const read = async () => jsonOf(await http.fetch("GET", "/api/openapi.json"));

test("the document is OpenAPI 3.1 with every route once, and itself", async () => {
  const document = await read();
  expect(document.openapi).toBe("3.1.0");
  expect(document.info).toEqual({ title: "Test", version: "1.2.3" });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods ?? {}).map((method) => `${method} ${path}`),
  );
  expect(operations.toSorted()).toEqual([
    "delete /api/things/{id}",
    "get /api/openapi.json",
    "get /api/things",
    "post /api/things",
    "post /api/things/{id}/rename",
  ]);
});

test("parameters, bodies and answers come from the route's own schemas", async () => {
  const { paths } = await read();
  expect(paths["/api/things"].get.parameters).toEqual([
    { name: "limit", in: "query", required: false, schema: { type: "integer" } },
    { name: "sort", in: "query", required: true, schema: { type: "string" } },
  ]);
  expect(paths["/api/things"].post.requestBody).toMatchObject({
    required: true,
    content: { "application/json": { schema: { type: "object", required: ["id"], additionalProperties: false } } },
  });
  expect(Object.keys(paths["/api/things"].post.responses)).toEqual(["201", "default"]);
  expect(paths["/api/things"].get.responses[200].content["application/json"].schema.type).toBe("array");
  expect(paths["/api/things/{id}/rename"].post.requestBody.required).toBe(false);
});

test("a path parameter without a schema is described nevertheless", async () => {
  const { paths } = await read();
  expect(paths["/api/things/{id}"].delete.parameters).toEqual([
    { name: "id", in: "path", required: true, schema: { type: "string" } },
  ]);
});

test("security and rule say who may call; operation ids are unique", async () => {
  const { paths } = await read();
  expect(paths["/api/things"].get.security).toEqual([{ bearer: [] }, { key: [] }]);
  expect(paths["/api/things/{id}/rename"].post.security).toEqual([]);
  expect(paths["/api/things"].post["x-access"]).toEqual(trusted("fully"));
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods ?? {}).map((operation) => operation.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(paths["/api/things"].get.responses.default.content["application/json"].schema).toEqual({
    $ref: "#/components/schemas/Error",
  });
});

test("numbers are numbers in bodies and answers, not text that could be one", async () => {
  const { paths } = await read();
  const { requestBody, responses } = paths["/api/things"].post;
  expect(requestBody.content["application/json"].schema.properties.size).toEqual({ type: "integer" });
  expect(responses[201].content["application/json"].schema.properties.size).toEqual({ type: "integer" });
});

test("answers that are no JSON, and files, are described as what they are", async () => {
  const own = createHttpApp((ctx) =>
    guarded(ctx)
      .delete("/api/files/:id", () => undefined, { access: trusted("fully"), ...noContent() })
      .put("/api/files", () => new Response("kept"), {
        access: trusted(),
        ...UPLOAD,
        ...takesFile("file"),
      })
      .get("/api/files/watch", () => new Response("data: 1"), { access: open(), ...answersAs("text/event-stream") }),
  );
  const { paths, components } = await jsonOf(await own.fetch("GET", "/api/openapi.json"));
  const { responses, security } = paths["/api/files/{id}"].delete;
  expect(Object.keys(responses)).toEqual(["204", "default"]);
  expect(responses[204].content).toBeUndefined();
  expect(paths["/api/files/{id}"].delete["x-access"]).toEqual(trusted("fully"));
  expect(security).toContainEqual({ key: [] });
  expect(components.securitySchemes.key).toEqual({ type: "apiKey", in: "header", name: "X-Test-Key" });
  expect(paths["/api/files/watch"].get.responses[200].content).toEqual({ "text/event-stream": {} });
  const upload = paths["/api/files"].put.requestBody.content["multipart/form-data"].schema;
  expect(upload.properties.file).toEqual({ type: "string", format: "binary" });
});

test("a whole number in a body has to be one, and may be left out", async () => {
  const send = (value: unknown) =>
    http.fetch("POST", "/api/things", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(value),
    });
  expect((await send({ id: "a", size: "5" })).status).toBe(400);
  expect((await send({ id: "a", size: 5 })).status).toBe(200);
  expect((await send({ id: "a" })).status).toBe(200);
});

test("the document is asked for as any other route is: the guard counts whoever asks, and may refuse", async () => {
  const asked: string[] = [];
  const own = createHttpApp((ctx) => guarded(ctx).get("/api/things", () => [], { access: trusted() }), {
    async authorize({ request }, rule) {
      asked.push(`${rule.kind} ${new URL(request.url).pathname}`);
      if (asked.length > 1) throw kernelFail("too_many_requests", { retry_after_s: 1 });
      return "tester";
    },
  });
  const answers = [];
  for (let at = 0; at < 2; at += 1) answers.push((await own.fetch("GET", "/api/openapi.json")).status);
  expect([answers, asked[0]]).toEqual([[200, 429], "open /api/openapi.json"]);
});
