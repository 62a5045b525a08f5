import { expect, test } from "bun:test";
import { AppError } from "../../../kernel/http/errors.ts";
import { readIfHeader, tokensIn } from "./if-header.ts";

const lock = (value: string, isNot = false) => ({ isNot, kind: "token", value });
const tag = (value: string, isNot = false) => ({ isNot, kind: "etag", value });

test.each([
  ["(<urn:a>)", [{ resource: null, conditions: [lock("urn:a")] }]],
  [
    '(<urn:a> ["x"]) (Not <DAV:no-lock> [W/"y z"])',
    [
      { resource: null, conditions: [lock("urn:a"), tag('"x"')] },
      { resource: null, conditions: [lock("DAV:no-lock", true), tag('W/"y z"')] },
    ],
  ],
  [
    '</a> (<urn:a>)(not ["x"]) <http://h/b> (<urn:b>)',
    [
      { resource: "/a", conditions: [lock("urn:a")] },
      { resource: "/a", conditions: [tag('"x"', true)] },
      { resource: "http://h/b", conditions: [lock("urn:b")] },
    ],
  ],
])("%s is read", (header, lists) => {
  expect(readIfHeader(header) as unknown).toEqual(lists);
});

test.each([
  "",
  "()",
  "(",
  "(<urn:a>",
  "<urn:a>",
  "</a> </b> (<urn:a>)",
  "(<urn:a>) </a> (<urn:b>)",
  "(Not)",
  "(Not Not <urn:a>)",
  "(<urn:a>) x",
  "((<urn:a>))",
  "([x])",
  "(<a b>)",
  `(${"<urn:a> ".repeat(4_000)})`,
])("%p is refused", (header) => {
  expect(() => readIfHeader(header)).toThrow(AppError);
});

test("what is named not to hold is not shown", () => {
  expect(tokensIn(readIfHeader("(<urn:a> Not <urn:b>) (<urn:c>)"))).toEqual(new Set(["urn:a", "urn:c"]));
});
