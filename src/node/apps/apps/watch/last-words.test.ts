import { expect, test } from "bun:test";
import { keepWords } from "./last-words.ts";

test("the last fifty lines are kept, in their order", () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`);
  expect(keepWords(lines, [])).toEqual(lines.slice(10));
});

test("secrets of the app and what looks like one are stars, also where a line is cut", () => {
  const secret = "s3cr3t-of-the-app";
  const kept = keepWords(
    [`cannot log in with ${secret}!`, "DB_PASSWORD=hunter22", "postgres://me:open@db/x", `${"x".repeat(990)}${secret}`],
    [secret],
  );
  expect(kept[0]).toBe("cannot log in with ••••!");
  expect(kept.join()).not.toContain("hunter22");
  expect(kept.join()).not.toContain(":open@");
  expect(kept.join()).not.toContain("s3cr3t");
});

test("a value too short to be a secret is left in the text", () => {
  expect(keepWords(["listening on 80 as web"], ["web", "80", ""])).toEqual(["listening on 80 as web"]);
});

test("long lines are cut and the whole is bounded, the latest counting most", () => {
  const kept = keepWords([...Array.from({ length: 50 }, () => "y".repeat(5_000)), "the end"], []);
  expect(kept.at(-1)).toBe("the end");
  expect(kept.join("").length).toBeLessThanOrEqual(16_384);
  expect(kept.length).toBeGreaterThan(10);
});

test("only the beginning of a line is looked through for secrets, which takes its time", () => {
  expect(keepWords([`DB_PASSWORD=${"x".repeat(200_000)} and more`], [])).toEqual(["DB_PASSWORD=••••"]);
});
