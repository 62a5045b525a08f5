import { expect, test } from "bun:test";
import {
  checkFeatures,
  collectMeanings,
  collectMigrations,
  collectSettings,
  defineFeature,
  type Feature,
} from "./feature.ts";
import { kernelFail } from "./http/errors.ts";

const feature = (given: Feature) => defineFeature(given);
const check = (...features: Feature[]) => checkFeatures(features, kernelFail.table);

test("features that fit together pass", () => {
  expect(() => check(feature({ name: "a", errors: { a_code: [404, "x"] } }), feature({ name: "b" }))).not.toThrow();
});

test.each<[string, Feature[], string]>([
  ["two of a name", [{ name: "a" }, { name: "a" }], "two features are called a"],
  [
    "two of a code",
    [
      { name: "a", errors: { x: [400, ""] } },
      { name: "b", errors: { x: [409, ""] } },
    ],
    "code x of b",
  ],
  ["a code of the kernel", [{ name: "a", errors: { forbidden: [403, ""] } }], "code forbidden of a"],
])("%s stops the boot", (_name, features, message) => {
  expect(() => check(...features)).toThrow(message);
});

test("migrations are numbered by feature, in boot order", () => {
  const all = collectMigrations([
    feature({ name: "a", migrations: ["1", "2"] }),
    feature({ name: "b", migrations: ["3"] }),
  ]);
  expect(all).toEqual([
    { feature: "a", number: 1, sql: "1" },
    { feature: "a", number: 2, sql: "2" },
    { feature: "b", number: 1, sql: "3" },
  ]);
});

test("a setting belongs to one feature; inherited names are free to take", () => {
  const settings = { "mail.host": { default: "", doc: "" } };
  expect(() => collectSettings([feature({ name: "a", settings }), feature({ name: "b", settings })])).toThrow(
    "setting mail.host of b is declared twice",
  );
  expect(() =>
    collectSettings([feature({ name: "a", settings: { valueOf: { default: "", doc: "" } } })]),
  ).not.toThrow();
});

test("what events mean is found by their name; an event has one owner", () => {
  const a = feature({ name: "a", events: { "a.done": 1 } });
  expect([...collectMeanings([a, feature({ name: "b", events: { "b.done": 2 } })])]).toEqual([
    ["a.done", 1],
    ["b.done", 2],
  ]);
  expect(() => collectMeanings([a, feature({ name: "b", events: { "a.done": 2 } })])).toThrow(
    "event a.done of b is declared twice",
  );
});
