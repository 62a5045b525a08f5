import { expect, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../../tests/kit/runs.ts";
import { lookedFor, readAddress, requireAddress } from "./addresses.ts";

test.each([
  ["ADA@Example.ORG", "ada@example.org"],
  ["ada@example.org.", "ada@example.org"],
  ["ada@example.org..", "ada@example.org"],
  ["ａｄａ@ｅｘａｍｐｌｅ.org", "ada@example.org"],
  ["ada@example。org", "ada@example.org"],
  ["ada@example.org｡", "ada@example.org"],
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["ada@BU\u0308CHER.example", "ada@xn--bcher-kva.example"],
  ["ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"],
  ["jürgen@example.org", "jürgen@example.org"],
  ["ju\u0308rgen@example.org", "jürgen@example.org"],
  ["Ada+Lists@example.org", "ada+lists@example.org"],
  ["o'neill!#$%&*/=?^_`{|}~.x@example.org", "o'neill!#$%&*/=?^_`{|}~.x@example.org"],
  ["ada@[127.0.0.1]", "ada@[127.0.0.1]"],
  ["ada@[IPv6:2001:db8::1]", "ada@[ipv6:2001:db8::1]"],
])("%s is kept and compared as %s", (given, kept) => {
  expect(readAddress(given)).toBe(kept);
});

test.each([
  "ada",
  "@example.org",
  "ada@.",
  "ada@ex/ämple.org",
  "ada@exa:mplé.org",
  "ada@a＠b.org",
  "ada＠example.org",
  "a\u200bda@example.org",
  ...["<ada@example.org>", "ada@example.org>", "ada(c)@example.org", "ada@example.org(c)", '"ada"@example.org'],
  ...["ada@example.org,", "ada@example.org;", "ada\\@example.org", "a:ada@example.org", "ada@example.org[1]"],
  ...["ada@[127.0.0.1", "ada@[<bob>]", "\uff1cada\uff1e@example.org"],
])("%s is no address", (given) => {
  expect(readAddress(given)).toBeNull();
});

test.each([
  ...["v\ufe0f@y.example", "v\ufe00@y.example", "v\u2800@y.example", "v\u{1d173}@y.example"],
  ...[
    "v\u{1bca0}@y.example",
    "v\u{e0100}@y.example",
    "v@y..example",
    "v@y\u3002.example",
    "v@.y.example",
    "v@-y.example",
  ],
  ...[
    "v@\uff0dy.example",
    "v@x.-y.example",
    "v@y#z.example",
    "v@y.example/../z",
    "v@y.example\uff0fz",
    "v@y?z.example",
  ],
])("no account is to have %j, and one that has it is found by it", (given) => {
  expect(() => requireAddress(given)).toThrow();
  expect(lookedFor(given)).toBe(lookedFor(lookedFor(given)));
});

test.each([
  "v@y.example.",
  "v@localhost",
  "v@x-y.example",
  "v@b\u00fccher.example",
  "\u{1f600}@y.example",
  "v@[IPv6:::1]",
])("an account may have %j", (given) => {
  expect(requireAddress(given)).toBe(readAddress(given) ?? "");
});

test("the form of a form is itself, whatever was given", () => {
  const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(part, part, (name, domain) => {
      const kept = readAddress(`${name}@${domain}`);
      if (kept !== null) expect(readAddress(kept)).toBe(kept);
    }),
    { numRuns: runs(200) },
  );
});
