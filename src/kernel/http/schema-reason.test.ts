import { expect, test } from "bun:test";
import { schemaReason } from "./schema-reason.ts";

test.each([
  [{ enum: ["server", "personal"] }, "must be one of server, personal"],
  [{ anyOf: [{ const: "a" }, { const: "b" }] }, "must be one of a, b"],
  [{ anyOf: [{ type: "boolean" }, { type: "string" }] }, "must be true or false"],
  [
    { anyOf: [{ type: "string" }, { type: "integer", minimum: 0, maximum: 5000 }] },
    "must be a whole number from 0 to 5000",
  ],
  [{ anyOf: [{ type: "string" }, { type: "number", minimum: 1 }] }, "must be a number from 1 on"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "Expected union value"],
  [{ type: "string" }, "Expected union value"],
  [undefined, "Expected union value"],
])("%j is said for people", (schema, text) => {
  expect(schemaReason("Expected union value", schema)).toBe(text);
});
