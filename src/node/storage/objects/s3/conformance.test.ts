import { afterAll, afterEach, expect, test } from "bun:test";
import { bucketCases } from "../../../../../tests/kit/conformance/buckets.ts";
import { formCases } from "../../../../../tests/kit/conformance/forms.ts";
import { lifecycleCases } from "../../../../../tests/kit/conformance/lifecycle.ts";
import { listCases } from "../../../../../tests/kit/conformance/lists.ts";
import { objectCases } from "../../../../../tests/kit/conformance/objects.ts";
import { partSumCases } from "../../../../../tests/kit/conformance/part-sums.ts";
import { partCases } from "../../../../../tests/kit/conformance/parts.ts";
import { readNames } from "../../../../../tests/kit/conformance/read-names.ts";
import { readCases } from "../../../../../tests/kit/conformance/reads.ts";
import { writeCases } from "../../../../../tests/kit/conformance/writes.ts";
import { openS3Suite } from "../../../../../tests/kit/s3-suite.ts";

/**
 * What ceph/s3-tests asks of a store, case by case under the names it has there (without `test_`), in our own words.
 * tests/kit/conformance/names.txt has every name of that suite, and why a case is not here.
 */
const own = await openS3Suite();
afterAll(() => own.close());
afterEach(() => own.empty());

const GROUPS = [
  listCases,
  objectCases,
  readCases,
  writeCases,
  partCases,
  partSumCases,
  bucketCases,
  formCases,
  lifecycleCases,
];
const cases = GROUPS.flatMap((group) => Object.entries(group(own)));

test.each(cases)("%s", async (_, run) => {
  await run();
});

test("each name of both suites has its case, its test or its reason, and no case is without a name", async () => {
  const names = readNames(
    await Bun.file(new URL("../../../../../tests/kit/conformance/names.txt", import.meta.url)).text(),
  );
  const known = new Set(cases.map(([name]) => name));
  const [ceph, garage] = [
    names.filter(({ suite }) => suite === "ceph"),
    names.filter(({ suite }) => suite === "garage"),
  ];
  expect([ceph.length, garage.length, new Set(names.map(({ name }) => name)).size]).toEqual([805, 32, 837]);
  const named = new Set<string>();
  for (const { name, cases: own, test, reason } of names) {
    for (const one of own) named.add(one);
    const file = test === null ? null : await Bun.file(new URL(`../../../../../${test.file}`, import.meta.url)).text();
    const isKept = file === null ? own.every((one) => known.has(one)) : file.includes(`"${test?.title}"`);
    expect([name, isKept && (own.length > 0 || test !== null || reason !== null)]).toEqual([name, true]);
  }
  expect([...known].filter((name) => !named.has(name))).toEqual([]);
});
