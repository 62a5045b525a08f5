import { expect, test } from "bun:test";
import { knownOf, suggestionsFor } from "./suggest.ts";
import { parseWords } from "./words.ts";

const known = knownOf(
  {
    status: { online: 5, degraded: 2, offline: 1, pending: 0 },
    regions: { "eu-central": 3, "us east": 4, unknown: 1 },
    versions: { "1.4.2": 8 },
  },
  [{ name: "lab", instance_count: 2 }],
  new Map(),
);
const words = (last: string): string[] => suggestionsFor(last, known).map(({ word }) => word);

test("the beginning of a word offers words, and values that begin the same", () => {
  expect(words("re")).toEqual(["region:"]);
  expect(words("-re")).toEqual(["-region:"]);
  expect(words("-region:e")).toEqual(['-region:"us east"', "-region:eu-central"]);
  expect(words("cp")).toEqual(["cpu>"]);
  expect(words("o")).toEqual(["status:online", "status:offline"]);
  expect(words("ver")).toEqual(["version:"]);
  expect(words("")).toEqual([]);
});

test("clients are offered only where there are some", () => {
  expect(words("cl")).toEqual([]);
});

test("clients are called by their names", () => {
  const facets = { ...{ status: { online: 3, degraded: 0, offline: 0, pending: 0 }, regions: {}, versions: {} } };
  const some = knownOf({ ...facets, clients: { ten_1: 2, none: 1 } }, [], new Map([["ten_1", "Blue Bakery"]]));
  expect(suggestionsFor("client:", some).map(({ word }) => word)).toEqual(['client:"Blue Bakery"', "client:none"]);
});

test("behind the colon its values are offered, the largest first", () => {
  expect(words("region:")).toEqual(['region:"us east"', "region:eu-central", "region:unknown"]);
  expect(words("REGION:EAST")).toEqual(['region:"us east"']);
  expect(words('region:"us')).toEqual(['region:"us east"']);
  expect(words("colour:")).toEqual([]);
});

test("what is offered is understood", () => {
  for (const last of ["region:", "status:", "version:", "group:"]) {
    for (const { word } of suggestionsFor(last, known)) expect(parseWords(word).problems).toEqual([]);
  }
  expect(parseWords('region:"us east"').filter.region).toEqual(["us east"]);
});
