import { expect, test } from "bun:test";
import { findPath, isInRange, isNewer } from "./find-path.ts";

test.each([
  ["2.6.1", ">=2.5 <3", true],
  ["2.10.0", ">=2.5 <3", true],
  ["3.0.0", ">=2.5 <3", false],
  ["2.4", ">=2.5 <3", false],
  ["anything", "*", true],
  ["1.2", "=1.2", true],
  ["1.2", "1.2", true],
  ["1.3", "<=1.2", false],
  ["1.3", ">1.2", true],
])("%s in %s: %p", (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected);
});

const release = (version: string, ...from: { range: string; stop_at?: string }[]) => ({
  version,
  upgrade: { from, snapshot: "required" as const },
});
const one = release("1.0", { range: "*" });
const two = release("2.9", { range: ">=1 <3" });
const three = release("3.1", { range: ">=2.9" }, { range: ">=1 <2.9", stop_at: "2.9" });
const find = async (version: string) => [one, two, three].find((item) => item.version === version) ?? null;

test.each([
  ["2.9", ["3.1"]],
  ["2.10", ["3.1"]],
  ["1.5", ["2.9", "3.1"]],
  ["0.5", null],
])("from %s the way is %p", async (version, expected) => {
  const path = await findPath(version, three, find);
  expect(path?.map((item) => item.version) ?? null).toEqual(expected);
});

test("a way that leads in a circle, or over a version that is not there, is none", async () => {
  const lost = release("4.0", { range: "*", stop_at: "3.9" });
  expect(await findPath("3.1", lost, find)).toBeNull();
  const self = release("5.0", { range: "*", stop_at: "5.0" });
  expect(await findPath("3.1", self, async () => self)).toBeNull();
});

test("newer is a later version, or a later revision of the same one", () => {
  const is = (version: string, revision: number) => ({ version, revision });
  expect(isNewer(is("1.10", 1), is("1.9", 4))).toBe(true);
  expect(isNewer(is("1.9", 2), is("1.9", 1))).toBe(true);
  expect(isNewer(is("1.9", 1), is("1.9", 1))).toBe(false);
  expect(isNewer(is("1.8", 9), is("1.9", 1))).toBe(false);
});
