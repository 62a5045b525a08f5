import { expect, test } from "bun:test";
import { unlinked } from "./unlinked.ts";

const BREAK = "\u200b";

test.each(["Ada Byron", "Acme Inc.", "Nürnberg <b>& Söhne</b>", "R&D: a/b", "3:0", "J. R. Smith", ""])(
  "%s stays as it is",
  (name) => {
    expect(unlinked(name)).toBe(name);
  },
);

test.each([
  ["https://evil.example/x", `https:${BREAK}//evil.${BREAK}example/x`],
  ["www.evil.example", `www.${BREAK}evil.${BREAK}example`],
  ["evil。example", `evil。${BREAK}example`],
  ["ada@evil.example", `ada@${BREAK}evil.${BREAK}example`],
  ["203.0.113.7", `203.${BREAK}0.${BREAK}113.${BREAK}7`],
])("%s is no address any more, and looks the same", (name, expected) => {
  expect(unlinked(name)).toBe(expected);
  expect(unlinked(name).replaceAll(BREAK, "")).toBe(name);
});
