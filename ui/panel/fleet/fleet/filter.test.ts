import { expect, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../../../../tests/kit/runs.ts";
import {
  addFilter,
  type FleetFilter,
  filterOf,
  isFiltered,
  noFilter,
  statuses,
  toggleValue,
  tokensOf,
  toSearch,
  withoutToken,
} from "./filter.ts";
import { beforeLast, nearestWord, parseWords, writeWords } from "./words.ts";

const text = fc.string({ unit: fc.constantFrom(...'ab:"\\ -1.éß<>= status region cpu'), maxLength: 12 });
const value = text.filter((one) => one.trim() === one && one !== "");
const values = fc.uniqueArray(value, { maxLength: 2 });
const states = fc.uniqueArray(fc.constantFrom(...statuses), { maxLength: 2 });
const exclusion = fc.oneof(
  fc
    .tuple(fc.constantFrom("region", "version", "tenant", "group", "tag", "q"), value)
    .map(([field, one]) => `${field}:${one}`),
  fc.constantFrom(...statuses).map((one) => `status:${one}`),
);
const comparison = fc
  .tuple(
    fc.constantFrom("cpu", "mem", "disk", "apps", "uptime", "seen"),
    fc.constantFrom("<", "<=", ">", ">="),
    fc.nat(90_000),
  )
  .map((parts) => parts.join(""));
const filters: fc.Arbitrary<FleetFilter> = fc.record({
  status: states,
  region: values,
  version: values,
  tenant: values,
  group: values,
  tag: values,
  not: fc.uniqueArray(exclusion, { maxLength: 2 }),
  where: fc.uniqueArray(comparison, { maxLength: 2 }),
  q: text.map((one) => one.trim()),
});

test("every filter survives being written and read", () => {
  fc.assert(fc.property(filters, (filter) => expect(parseWords(writeWords(filter))).toEqual({ filter, problems: [] })));
});

test("every filter survives the address", () => {
  fc.assert(fc.property(filters, (filter) => expect(filterOf(toSearch(filter))).toEqual(filter)));
});

/** Signs and words that the reader knows between whatever else there is in Unicode, halves of characters too. */
const typed = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'"\\-: \t\n<>=%#&+\0', "\u00a0", "\u3000", "\u200b", "\u202e", "\ud800", "İ", "e\u0301", "😀"),
      fc.constantFrom("status", "region", "client", "tag", "q", "cpu", "seen", "10m", "80", "none", "__proto__"),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(""));

test("whatever is typed is read, and means the same when it is written again and in an address", () => {
  const same = (one: FleetFilter, other: FleetFilter) => JSON.stringify(one) === JSON.stringify(other);
  fc.assert(
    fc.property(typed, (text) => {
      const { filter } = parseWords(text);
      const again = parseWords(writeWords(filter));
      const address = new URLSearchParams(String(toSearch(filter)));
      return same(again.filter, filter) && again.problems.length === 0 && same(filterOf(address), filter);
    }),
    { numRuns: runs(2_000) },
  );
});

test("a box full of one sign is read to its end", () => {
  for (const sign of ['"', "-", "\\", " ", ":", '-"a ', "a:", '"\\', "9>", "cpu>"]) {
    const { filter } = parseWords(sign.repeat(2_000));
    expect(parseWords(writeWords(filter)).filter).toEqual(filter);
  }
});

test("text that is left out keeps its spaces, quotes and signs", () => {
  for (const value of [
    "us east",
    "a,b",
    "[x], y",
    'a "b" c',
    "back\\slash",
    "tag:lab",
    "cpu>80",
    "-x",
    "ß 😀 e\u0301",
    "q:web",
  ]) {
    const filter = { ...noFilter, not: [`q:${value}`] };
    expect(parseWords(writeWords(filter))).toEqual({ filter, problems: [] });
    expect(filterOf(new URLSearchParams(String(toSearch(filter))))).toEqual(filter);
  }
  expect(parseWords('-"  " -" a "').filter).toEqual({ ...noFilter, not: ["q:a"], q: "-" });
});

test("words set parameters, the rest is searched for", () => {
  expect(parseWords('status:OFFLINE region:"us east"  web client:none 10.4 region:eu tag:prod').filter).toEqual({
    ...noFilter,
    status: ["offline"],
    region: ["us east", "eu"],
    tenant: ["none"],
    tag: ["prod"],
    q: "web 10.4",
  });
});

test("a minus leaves out, a comparison compares", () => {
  expect(parseWords('-tag:lab -status:pending -web -"us east" cpu>80 disk<=10% seen>10m uptime<1.5h').filter).toEqual({
    ...noFilter,
    not: ["tag:lab", "status:pending", "q:web", "q:us east"],
    where: ["cpu>80", "disk<=10", "seen>600", "uptime<5400"],
  });
  expect(tokensOf(parseWords("-tag:lab seen>600 -web").filter).map(({ word, value: shown }) => word + shown)).toEqual([
    "-tag:lab",
    "-web",
    "seen>10m",
  ]);
  expect(parseWords('"-web" "cpu>80" a-b -').filter).toEqual({ ...noFilter, q: "-web cpu>80 a-b -" });
});

test("an address with a colon is text", () => {
  expect(parseWords("fe80::1 http://x 10.0.0.1:80").filter).toEqual({ ...noFilter, q: "fe80::1 http://x 10.0.0.1:80" });
  expect(parseWords('"status:offline"').filter).toEqual({ ...noFilter, q: "status:offline" });
});

test("what cannot be followed is told, a word that nobody knows with the one that was meant", () => {
  const unknown = parseWords("status:sleepy web");
  expect(unknown.filter).toEqual({ ...noFilter, q: "web" });
  const told = (typed: string): string => parseWords(typed).problems.join(" ");
  expect(told("status:sleepy web")).toBe(
    "No node has the status “sleepy”: it is one of online, degraded, offline, pending.",
  );
  expect(told("region:")).toBe("Write what region: shall be, such as region:eu-central.");
  expect(told("regoin:eu")).toBe(
    "There is no word “regoin:”. Did you mean region:? Quotes around it search for it as text.",
  );
  expect(told("-lable:prod")).toContain("“lable:”");
  expect(told("memory>80")).toContain("Did you mean mem>80?");
  expect(told("colour:red")).toContain("The words are status, region");
  expect(told("cpu:80")).toBe("Write cpu>80: cpu is compared with <, <=, > or >=.");
  expect(told("cpu>much")).toBe("Compare cpu with a number, such as cpu>80.");
  expect(told("disk>10m")).toBe("Compare disk with a number, such as disk<10.");
  expect(told("-cpu>80")).toContain("Turn the sign round");
  expect(told("region>eu")).toBe("Write region:eu-central, with a colon.");
});

test("the nearest word is found over swapped, missing and wrong letters, and not over many", () => {
  expect(["stauts", "verison", "grp", "cup", "dsik", "ram", "constructor"].map(nearestWord)).toEqual([
    "status",
    "version",
    null,
    "cpu",
    "disk",
    "mem",
    null,
  ]);
});

test("an address with what nobody knows asks for all", () => {
  const filter = filterOf(new URLSearchParams("status=gone&region=&q=%20&not=colour:red&not=status:gone&where=cpu~1"));
  expect(filter).toEqual(noFilter);
  expect(isFiltered(filter)).toBe(false);
});

test("a value goes in and out, and what is asked for is left out no longer", () => {
  const one = toggleValue({ ...noFilter, not: ["region:eu"] }, "region", "eu");
  expect(one).toEqual({ ...noFilter, region: ["eu"] });
  expect(toggleValue(one, "region", "us").region).toEqual(["eu", "us"]);
  expect(toggleValue(one, "region", "eu")).toEqual(noFilter);
  expect(addFilter(one, { ...noFilter, not: ["region:eu", "tag:lab"], where: ["cpu>8"] })).toEqual({
    ...noFilter,
    not: ["region:eu", "tag:lab"],
    where: ["cpu>8"],
  });
  const full = { ...noFilter, status: ["offline"], not: ["q:web"], where: ["cpu>8"] };
  expect(tokensOf(full).reduce(withoutToken, full)).toEqual(noFilter);
});

test("the word that is being written is apart from those that are done", () => {
  expect(beforeLast("status:offline reg")).toEqual({ done: "status:offline ", last: "reg" });
  expect(beforeLast("web ")).toEqual({ done: "web ", last: "" });
  expect(beforeLast('a region:"us ea')).toEqual({ done: "a ", last: 'region:"us ea' });
  expect(beforeLast("")).toEqual({ done: "", last: "" });
});
