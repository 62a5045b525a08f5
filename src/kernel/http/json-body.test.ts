import { expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "./errors.ts";
import { readJsonBody } from "./json-body.ts";

const read = (body: string, headers: Record<string, string> = {}) =>
  readJsonBody(
    new Request("http://x/", { method: "POST", body, headers: { "content-type": "application/json", ...headers } }),
  );

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => "read",
    (error: unknown) => (error instanceof AppError ? error.code : "thrown"),
  );

test("what was written is read, whatever texts look like brackets, quotes or escapes", async () => {
  const text = fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", "a", "\n", "ü") });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(text, fc.oneof(text, fc.array(text))), async (value) => {
      const body = JSON.stringify(value);
      expect(JSON.stringify(await read(body))).toBe(body);
      expect(JSON.stringify(await read(body, { "content-length": String(Buffer.byteLength(body)) }))).toBe(body);
    }),
    { numRuns: 200 },
  );
});

test.each(["", '"]]]]","\\"[[",', '{"b":"\\\\"},', "[],[],"])(
  "sixty-four levels are read after %j, one more is not",
  async (before) => {
    // Two levels are around it.
    const body = (levels: number) => `{"a":[${before}${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}]}`;
    expect(await codeOf(read(body(64)))).toBe("read");
    expect(await codeOf(read(body(65)))).toBe("invalid_request");
  },
);

test("a body that is announced too long is refused before it is read", async () => {
  expect(await codeOf(read("{}", { "content-length": "1048577" }))).toBe("payload_too_large");
});
