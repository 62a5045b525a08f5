import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  beforeLast,
  type FleetFilter,
  filterOf,
  isFiltered,
  noFilter,
  parseWords,
  statuses,
  tokensOf,
  toParameters,
  writeWords,
} from "./filter.ts";

const text = fc.string({ unit: fc.constantFrom(...'ab:"\\ -1.éß status region'), maxLength: 12 });
const value = fc.option(
  text.filter((one) => one.trim() === one && one !== ""),
  { nil: null },
);
const filters: fc.Arbitrary<FleetFilter> = fc.record({
  status: fc.option(fc.constantFrom(...statuses), { nil: null }),
  region: value,
  version: value,
  tenant: value,
  group: value,
  q: text.map((one) => one.trim()),
});

test("every filter survives being written and read", () => {
  fc.assert(fc.property(filters, (filter) => expect(parseWords(writeWords(filter))).toEqual({ filter, problems: [] })));
});

test("every filter survives the address", () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const query = new URLSearchParams();
      for (const [name, one] of Object.entries(toParameters(filter))) if (one !== null) query.set(name, one);
      expect(filterOf(query)).toEqual(filter);
    }),
  );
});

test("no text at all breaks the reader", () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const { filter } = parseWords(typed);
      expect(parseWords(writeWords(filter)).filter).toEqual(filter);
    }),
  );
});

test("words set parameters, the rest is searched for", () => {
  expect(parseWords('status:OFFLINE region:"us east"  web client:none 10.4 version:1.4.2').filter).toEqual({
    status: "offline",
    region: "us east",
    version: "1.4.2",
    tenant: "none",
    group: null,
    q: "web 10.4",
  });
});

test("a colon of something else is text", () => {
  expect(parseWords("fe80::1 http://x").filter).toEqual({ ...noFilter, q: "fe80::1 http://x" });
  expect(parseWords('"status:offline"').filter).toEqual({ ...noFilter, q: "status:offline" });
});

test("what cannot be followed is told", () => {
  const unknown = parseWords("status:sleepy web");
  expect(unknown.filter).toEqual({ ...noFilter, q: "web" });
  expect(unknown.problems).toEqual([
    "No node has the status “sleepy”: it is one of online, degraded, offline, pending.",
  ]);
  expect(parseWords("region:").problems).toEqual(["Write what region: shall be, such as region:eu-central."]);
});

test("an address with an unknown status asks for all", () => {
  const filter = filterOf(new URLSearchParams("status=gone&region=&q=%20"));
  expect(filter).toEqual(noFilter);
  expect(isFiltered(filter)).toBe(false);
});

test("tokens carry the word that one types", () => {
  expect(tokensOf({ ...noFilter, tenant: "acme", status: "offline", q: "x" })).toEqual([
    { field: "status", word: "status", value: "offline" },
    { field: "tenant", word: "client", value: "acme" },
  ]);
});

test("the word that is being written is apart from those that are done", () => {
  expect(beforeLast("status:offline reg")).toEqual({ done: "status:offline ", last: "reg" });
  expect(beforeLast("web ")).toEqual({ done: "web ", last: "" });
  expect(beforeLast('a region:"us ea')).toEqual({ done: "a ", last: 'region:"us ea' });
  expect(beforeLast("")).toEqual({ done: "", last: "" });
});
