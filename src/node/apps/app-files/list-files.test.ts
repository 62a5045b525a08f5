import { expect, test } from "bun:test";
import { AppError } from "../../../kernel/http/errors.ts";
import { readListing } from "./list-files.ts";
import { partsOf } from "./place.ts";

test("a listing is read with names of any kind; what was cut off is left out and said", () => {
  const output =
    "m 81a4 5 1700000000 ./b\nm 41ed 4096 0 ./z\nm a1ff 3 1 ./a\n m 81a4 9 9 ./x\n\nm 1180 0 -5 ./p\nm 81a4 7 17";
  const { entries, is_cut } = readListing(output.replaceAll(/(^|\n)m /g, "$1MARK "), "MARK");
  expect(is_cut).toBe(true);
  expect(entries).toEqual([
    { name: "z", kind: "folder", size_bytes: 4096, modified_at: "1970-01-01T00:00:00.000Z", mode: "755" },
    { name: "a\n m 81a4 9 9 ./x\n", kind: "link", size_bytes: 3, modified_at: "1970-01-01T00:00:01.000Z", mode: "777" },
    { name: "b", kind: "file", size_bytes: 5, modified_at: "2023-11-14T22:13:20.000Z", mode: "644" },
    { name: "p", kind: "other", size_bytes: 0, modified_at: "1969-12-31T23:59:55.000Z", mode: "600" },
  ]);
  expect(readListing("", "MARK")).toEqual({ entries: [], is_cut: false });
});

test("a time that no date can be hides nothing", () => {
  const { entries } = readListing("M 81a4 1 9223372036854775807 ./far\nM 81a4 1 0 ./near\n", "M");
  expect(entries.map(({ name }) => name)).toEqual(["far", "near"]);
});

test("more than can be shown is cut", () => {
  const output = Array.from({ length: 5001 }, (_, index) => `M 81a4 1 1 ./${index}\n`).join("");
  const { entries, is_cut } = readListing(output, "M");
  expect([entries.length, is_cut]).toEqual([5000, true]);
});

test.each(["..", "a/..", "/a", "a//b", "a/", ".", "a\0", `${"a/".repeat(101)}b`, "ä".repeat(128), "\ud800"])(
  "%p is no path in a volume",
  (path) => {
    expect(() => partsOf(path)).toThrow(AppError);
  },
);

test.each([
  ["", []],
  ["a/b c", ["a", "b c"]],
  ["...", ["..."]],
  ["-rf/*", ["-rf", "*"]],
] as [string, string[]][])("%p is a path", (path, parts) => {
  expect(partsOf(path)).toEqual(parts);
});
