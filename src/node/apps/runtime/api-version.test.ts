import { expect, test } from "bun:test";
import { chooseApiVersion } from "./api-version.ts";

test.each([
  ["1.41", "1.12", "1.41", "an engine of our age is spoken to in its own version"],
  ["1.52", "1.24", "1.47", "a newer engine is spoken to in the newest version that we know"],
  ["1.60", "1.50", "1.50", "an engine that dropped our version is spoken to in its oldest"],
  ["1.40", "1.12", null, "an older engine is refused"],
  ["1.9", "1.1", null, "versions are numbers, not text"],
])("offers %s down to %s: %s (%s)", (newest, oldest, chosen) => {
  expect(chooseApiVersion(newest, oldest)).toBe(chosen);
});
