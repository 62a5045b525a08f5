import { expect, test } from "bun:test";
import { PLAIN_NAME, PLAIN_TEXT, plainCharacter } from "./plain-text.ts";

const isName = (text: string) => new RegExp(PLAIN_NAME).test(text);

test.each([
  "Kitchen",
  "  Büro 2 ",
  "Сервер",
  "サーバー",
  "שרת",
  "خادم",
  "a <b> & c",
  "🌻 garden",
  "é",
  "x".repeat(100),
])("%j is a name", (text) => expect(isName(text)).toBe(true));

test.each([
  "",
  " ",
  "\u00a0",
  "a\u0000b",
  "a\nb",
  "a\tb",
  "a\u007fb",
  "a\u0085b",
  "soft\u00adhyphen",
  "ad\u200bmin",
  "ad\u200dmin",
  "\u200eadmin",
  "admin\u202etxt.exe",
  "a\u2028b",
  "a\u2060b",
  "a\u2066b",
  "\ufeffadmin",
  "\u3164",
  "tag\u{e0061}",
  "half \ud83d",
  "\udf3b half",
])("%j is no name", (text) => expect(isName(text)).toBe(false));

test("a text may be empty, and a class of characters narrows it", () => {
  expect(new RegExp(PLAIN_TEXT).test("")).toBe(true);
  expect(new RegExp(PLAIN_TEXT).test("a\u202eb")).toBe(false);
  const word = new RegExp(`^${plainCharacter("[^\\s,]")}+$`);
  expect(["tag", "a b", "a,b", "a\u200bb", ""].map((text) => word.test(text))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
