import { expect, test } from "bun:test";
import { t } from "elysia";
import { createHttpApp, guarded, jsonOf } from "../../../tests/kit/http-app.ts";
import { open } from "./access.ts";
import { schemaReason } from "./schema-reason.ts";

test.each([
  [{ enum: ["server", "personal"] }, "must be one of server, personal"],
  [{ anyOf: [{ const: "a" }, { const: "b" }] }, "must be one of a, b"],
  [{ anyOf: [{ anyOf: [{ const: "a" }, { const: "b" }] }, { type: "null" }] }, "must be one of a, b, null"],
  [{ anyOf: [{ type: "boolean" }, { type: "string" }] }, "must be true or false"],
  [
    { anyOf: [{ type: "string" }, { type: "integer", minimum: 0, maximum: 5000 }] },
    "must be a whole number from 0 to 5000",
  ],
  [{ anyOf: [{ type: "string" }, { type: "number", minimum: 1 }] }, "must be a number from 1 on"],
  [
    { anyOf: [{ anyOf: [{ type: "string" }, { type: "integer", minimum: 0, maximum: 9 }] }, { type: "string" }] },
    "must be a whole number from 0 to 9",
  ],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "is of a kind that does not fit here"],
  [{ type: "string" }, "is of a kind that does not fit here"],
  [undefined, "is of a kind that does not fit here"],
])("%j is said for people", (schema, text) => {
  expect(schemaReason("Expected union value", schema)).toBe(text);
});

const Everything = t.Object({
  whole: t.Optional(t.Integer({ minimum: 1, maximum: 5000 })),
  part: t.Optional(t.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
  text: t.Optional(t.String({ minLength: 2, maxLength: 4, pattern: "^a" })),
  code: t.Optional(t.String({ pattern: "^[A-Z]+$", description: "must be capital letters" })),
  mail: t.Optional(t.String({ format: "email" })),
  list: t.Optional(t.Array(t.String(), { minItems: 1, maxItems: 2, uniqueItems: true })),
  map: t.Optional(t.Record(t.String(), t.String(), { minProperties: 1, maxProperties: 2 })),
  is: t.Optional(t.Boolean()),
  word: t.Optional(t.Literal("yes")),
  none: t.Optional(t.Null()),
});
const Paged = t.Object({ lines: t.Optional(t.Integer({ minimum: 1, maximum: 5000 })) });
const http = createHttpApp((ctx) =>
  guarded(ctx)
    .post("/api/things", () => ({}), { access: open(), body: Everything })
    .post("/api/named", () => ({}), { access: open(), body: t.Object({ name: t.String() }) })
    .get("/api/things", () => ({}), { access: open(), query: Paged }),
);

async function post(path: string, value: unknown) {
  const headers = { "content-type": "application/json" };
  return jsonOf(await http.fetch("POST", path, { body: JSON.stringify(value), headers }));
}

test.each<[Record<string, unknown>, string]>([
  [{ whole: 5001 }, "must be a whole number from 1 to 5000"],
  [{ whole: 1.5 }, "must be a whole number from 1 to 5000"],
  [{ part: 1 }, "must be less than 1"],
  [{ part: 0 }, "must be more than 0"],
  [{ part: "x" }, "must be a number"],
  [{ text: "abcde" }, "must have at most 4 characters"],
  [{ text: "a" }, "must have at least 2 characters"],
  [{ text: "bcd" }, "must match ^a"],
  [{ code: "a" }, "must be capital letters"],
  [{ text: 1 }, "must be text"],
  [{ mail: "x" }, "must be a valid email"],
  [{ list: [] }, "must not be empty"],
  [{ list: ["a", "b", "c"] }, "must have at most 2 entries"],
  [{ list: ["a", "a"] }, "must not name anything twice"],
  [{ list: {} }, "must be a list"],
  [{ map: {} }, "must have at least 1 fields"],
  [{ map: { a: "", b: "", c: "" } }, "must have at most 2 fields"],
  [{ map: 1 }, "must be an object"],
  [{ is: 1 }, "must be true or false"],
  [{ word: "no" }, "must be 'yes'"],
  [{ none: 1 }, "must be null"],
  [{ other: 1 }, "is not known here"],
])("a body %j is answered in plain words: %s", async (value, reason) => {
  const [field] = Object.keys(value);
  expect(await post("/api/things", value)).toMatchObject({ code: "invalid_request", params: { field, reason } });
});

test("a field that is missing is called so", async () => {
  expect((await post("/api/named", {})).params).toEqual({ field: "name", reason: "is missing" });
});

test.each([
  ["?lines=5001", "must be a whole number from 1 to 5000"],
  ["?lines=0", "must be a whole number from 1 to 5000"],
  ["?lines=x", "must be a whole number from 1 to 5000"],
  ["?other=1", "is not known here"],
])("a query %s: %s", async (query, reason) => {
  expect((await jsonOf(await http.fetch("GET", `/api/things${query}`))).params.reason).toBe(reason);
});
