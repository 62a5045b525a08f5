import { expect, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../../../../tests/kit/runs.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { matches, parseFilter } from "./filter.ts";
import { patched } from "./patch.ts";

const ida = {
  userName: "Ida@example.org",
  active: true,
  name: { familyName: "Lovelace" },
  emails: [
    { type: "work", value: "ida@example.org" },
    { type: "home", value: "ida@home.example" },
  ],
};

test.each([
  ['userName eq "ida@EXAMPLE.org"', true],
  ['username Eq "ida"', false],
  ["active eq true", true],
  ['active eq "True"', true],
  ['name.familyName co "lace" and not (emails.value ew ".com")', true],
  ['emails[type eq "home" and value co "home"] or userName pr', true],
  ["title pr", false],
  ['title pr or (userName sw "x")', false],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ida"', true],
  ['userName ne "eve"', true],
  ['userName gt "a" and userName lt "z"', true],
])("%s: %p", (filter, expected) => {
  expect(matches(parseFilter(filter), ida)).toBe(expected);
});

test.each([
  "",
  "userName",
  "userName eq",
  "(a pr",
  "a pr)",
  'a eq "x',
  "not a pr",
  "a eq {}",
  "a zz 1",
  "(".repeat(50),
])("%p is refused", (filter) => {
  expect(() => parseFilter(filter)).toThrow(AppError);
});

test("whatever comes is read or refused, and changes nothing it was not given", () => {
  const word = fc.constantFrom(
    ...['eq "', "and", "or", "not", "(", ")", "[", "]", "pr", "a.b", '"x"', "members", " ", "urn:a:b"],
  );
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(word, { maxLength: 40 }).map((words) => words.join(" ")),
  );
  const operation = fc.record({
    op: fc.constantFrom("add", "Replace", "remove", "x"),
    path: fc.oneof(text, fc.constantFrom("__proto__", 'emails[type eq "work"].value', "members", "name.givenName")),
    value: fc.oneof(fc.jsonValue(), fc.constant(JSON.parse('{"__proto__":{"polluted":true}}'))),
  });
  const attempt = (run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
    }
  };
  fc.assert(
    fc.property(text, fc.array(operation, { maxLength: 4 }), (filter, Operations) => {
      attempt(() => matches(parseFilter(filter), ida));
      const before = structuredClone(ida);
      attempt(() => patched(ida, { Operations }));
      expect(ida).toEqual(before);
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    }),
    { numRuns: runs(300) },
  );
});

test("an address of a kind that there is none of yet is made", () => {
  const Operations = [{ op: "Add", path: 'phones[type eq "work"].value', value: "1" }];
  expect(patched(ida, { Operations })).toMatchObject({ phones: [{ type: "work", value: "1" }] });
});

test("what a request makes the panel compare is bounded, and what directories send is far below that", () => {
  const members = Array.from({ length: 2_000 }, (_, no) => ({ value: `mem_${no}` }));
  const remove = (path: string, times: number) =>
    patched({ members }, { Operations: Array.from({ length: times }, () => ({ op: "remove", path })) });
  const long = Array.from({ length: 15 }, (_, no) => `value co "z${no}"`).join(" or ");
  expect(() => remove(`members[${long}]`, 50)).toThrow("so much");
  expect(() => parseFilter(Array.from({ length: 40 }, () => 'a co "z"').join(" or "))).toThrow("too long");
  const one = Array.from({ length: 1000 }, (_, no) => ({ op: "remove", path: `members[value eq "MEM_${no}"]` }));
  expect(patched({ members }, { Operations: one })["members"]).toHaveLength(1_000);
});

test("names and copies are bounded as well: a small request must not hold up the panel", () => {
  const times = (count: number, make: (no: number) => unknown) => Array.from({ length: count }, (_, no) => make(no));
  const names = Object.fromEntries(Array.from({ length: 200 }, (_, no) => [`k${no}`, 0]));
  const many = { op: "replace", value: names };
  expect(() => patched(ida, { Operations: [many] })).toThrow("100 attributes");
  expect(() =>
    patched(ida, {
      Operations: [
        { ...many, path: "name" },
        { op: "add", path: "name.x", value: 1 },
      ],
    }),
  ).toThrow("100 attributes");
  const list = { op: "add", path: "emails", value: times(26_000, () => ({})) };
  const eachOf = times(20, (no) => ({ op: "replace", path: `emails.p${no}`, value: 1 }));
  expect(() => patched(ida, { Operations: [list, ...eachOf] })).toThrow("so much");
  const again = times(990, () => ({ op: "remove", path: "emails", value: [{ value: "x" }] }));
  expect(() => patched(ida, { Operations: [list, ...again] })).toThrow("so much");
  const whole = { op: "replace", path: "emails[not (type eq 1)]", value: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 } };
  expect(() => patched(ida, { Operations: [list, whole, whole, whole] })).toThrow("so much");
  const members = times(10_000, (no) => ({ value: `mem_${no}` }));
  const joining = times(1_000, (no) => ({ op: "add", path: "members", value: [{ value: `new_${no}` }] }));
  expect(patched({ members }, { Operations: joining })["members"]).toHaveLength(11_000);
});
