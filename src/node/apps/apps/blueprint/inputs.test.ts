import { expect, test } from "bun:test";
import { resolveInputs } from "./inputs.ts";

type Input = Parameters<typeof resolveInputs>[0][number];
const input = (more: Partial<Input>): Input => ({ key: "K", type: "text", label: "K", required: false, ...more });

test("defaults are filled in and numbers and booleans become text", () => {
  const inputs = [
    input({ key: "A", default: "a" }),
    input({ key: "B", type: "number" }),
    input({ key: "C", type: "boolean", default: "false" }),
    input({ key: "D" }),
  ];
  expect(resolveInputs(inputs, { B: 5, C: true })).toEqual({ A: "a", B: "5", C: "true", D: "" });
});

test.each<[Partial<Input>, string | number | boolean, string]>([
  [{ required: true }, "", "is required"],
  [{ type: "number" }, "many", "must be a number"],
  [{ type: "number", rules: { min: 3 } }, 2, "at least 3"],
  [{ type: "number", rules: { max: 3 } }, 4, "at most 3"],
  [{ type: "boolean" }, "yes", "true or false"],
  [{ type: "email" }, "nobody", "e-mail"],
  [{ type: "url" }, "javascript:alert(1)", "http://"],
  [{ type: "timezone" }, "Mars/Olympus", "time zone"],
  [{ type: "select", rules: { options: [{ value: "a", label: "A" }] } }, "b", "one of a"],
  [{ rules: { min_length: 3 } }, "ab", "at least 3"],
  [{ rules: { max_length: 3 } }, "abcd", "at most 3"],
  [{ rules: { pattern: "[a-z]+", pattern_hint: "small letters" } }, "A", "small letters"],
  [{ rules: { pattern: "a|b" } }, "ax", "must match"],
  [{}, "two\nlines", "one line"],
])("%o refuses %p: %s", (more, value, reason) => {
  const refusal = expect.objectContaining({
    status: 400,
    params: { field: "config.inputs.K", reason: expect.stringContaining(reason) },
  });
  expect(() => resolveInputs([input(more)], { K: value })).toThrow(refusal);
});

test("an unknown question is refused by its name", () => {
  expect(() => resolveInputs([input({})], { OTHER: "x" })).toThrow(
    expect.objectContaining({ params: { field: "config.inputs.OTHER", reason: "is not a question of this app" } }),
  );
});
