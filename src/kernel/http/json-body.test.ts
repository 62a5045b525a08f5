import { expect, test } from "bun:test";
import fc from "fast-check";
import { AppError, kernelFail } from "./errors.ts";
import { readJsonBody } from "./json-body.ts";

const requestOf = (body: string, headers: Record<string, string> = {}) =>
  new Request("http://x/", { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

const read = (body: string, headers: Record<string, string> = {}) => readJsonBody(requestOf(body, headers));

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

test("nothing is parsed that has more values than may be, nor before it may be parsed", async () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, no) => `"${no}":0`).join(",")}}`;
  const refusalOf = (answer: Promise<unknown>) =>
    answer.then(
      () => "read",
      (error: unknown) => (error instanceof AppError ? String(error.params["reason"]) : "thrown"),
    );
  expect(await refusalOf(readJsonBody(requestOf(keys(998)), { mostValues: 1_000 }))).toBe("read");
  const many = readJsonBody(requestOf(`${keys(2_000)} and no JSON`), { mostValues: 1_000 });
  expect(await refusalOf(many)).toBe("has more than 1000 values");
  const mayParse = () => Promise.reject(kernelFail("too_many_requests"));
  expect(await codeOf(readJsonBody(requestOf("no JSON"), { mayParse }))).toBe("too_many_requests");
});
