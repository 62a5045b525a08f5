import { expect, test } from "bun:test";
import { LANGUAGES } from "../../languages.ts";
import { sayAlert } from "./alert-words.ts";

test("a share is written as its language does it, and never parts from its sign", () => {
  const said = LANGUAGES.map((language) => sayAlert(language, "atlas-7", "cpu_high", 91).replace("\u202f", "\u00a0"));
  expect(said).toEqual([
    "atlas-7 uses 91% of its processor",
    "atlas-7 lastet seinen Prozessor zu 91\u00a0% aus",
    "atlas-7 utilise 91\u00a0% de son processeur",
    "atlas-7 usa el 91\u00a0% de su procesador",
  ]);
});
