import { expect, test } from "bun:test";
import fc from "fast-check";
import { changeSpaces, parseSpaces } from "./spaces.ts";

test("changes lie over what is stored", () => {
  const stored = { home: { verdict: false, charts: true } };
  expect(changeSpaces(stored, { home: { charts: false }, apps: { featured: false } })).toEqual({
    home: { verdict: false, charts: false },
    apps: { featured: false },
  });
});

test("null takes back a block, a space, everything; empty spaces vanish", () => {
  const stored = { home: { verdict: false, charts: true }, apps: { featured: false } };
  expect(changeSpaces(stored, { home: { charts: null } })).toEqual({ ...stored, home: { verdict: false } });
  expect(changeSpaces(stored, { home: null })).toEqual({ apps: { featured: false } });
  expect(changeSpaces(stored, { apps: { featured: null } })).toEqual({ home: stored.home });
  expect(changeSpaces(stored, null)).toEqual({});
});

test("names that objects have of their own are names like others", () => {
  expect(changeSpaces({}, { constructor: { valueof: true } })).toEqual({ constructor: { valueof: true } });
});

test("what is stored reads back the same, and damage reads as nothing", () => {
  const name = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,10}$/);
  const spaces = fc.dictionary(name, fc.dictionary(name, fc.boolean(), { minKeys: 1 }));
  fc.assert(fc.property(spaces, (value) => Bun.deepEquals(parseSpaces(JSON.stringify(value)), { ...value })));
  expect([parseSpaces("[1"), parseSpaces("[]"), parseSpaces('{"a":{"b":1}}')]).toEqual([{}, {}, { a: {} }]);
});
