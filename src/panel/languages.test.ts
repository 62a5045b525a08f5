import { expect, test } from "bun:test";
import { askedLanguage, greet, inEach, sayDay, sayMoment, sayNumber, sayPercent, typeset } from "./languages.ts";

test("a browser gets the first of its languages that there is", () => {
  expect(askedLanguage("de-AT,de;q=0.9,en;q=0.8")).toBe("de");
  expect(askedLanguage("pl, fr;q=0.3, es-MX;q=0.7")).toBe("es");
  expect(askedLanguage("FR")).toBe("fr");
  for (const none of [null, "", "*", "pl", "de;q=0", "de;q=x", "nonsense;;,", "pl,".repeat(500)])
    expect([none, askedLanguage(none)]).toEqual([none, null]);
  expect(askedLanguage(`${"pl,".repeat(100)}de`)).toBeNull();
});

test("days, moments and numbers are written as the language does", () => {
  const at = Date.UTC(2026, 11, 4, 16, 5);
  expect(inEach((language) => sayDay(language, at))).toEqual({
    en: "4 December 2026",
    de: "4. Dezember 2026",
    fr: "4 décembre 2026",
    es: "4 de diciembre de 2026",
  });
  expect(inEach((language) => sayMoment(language, at).replace(/[\u202f\u00a0]/g, " "))).toEqual({
    en: "4 December 2026 at 16:05 UTC",
    de: "4. Dezember 2026 um 16:05 UTC",
    fr: "4 décembre 2026 à 16:05 UTC",
    es: "4 de diciembre de 2026 a las 16:05 UTC",
  });
  expect(sayMoment("de", at, "Europe/Berlin")).toContain("17:05");
  expect(inEach((language) => sayNumber(language, 12_345.5).replace(/\s/g, " "))).toEqual({
    en: "12,345.5",
    de: "12.345,5",
    fr: "12 345,5",
    es: "12.345,5",
  });
  expect(sayPercent("fr", 2.5).replace(/\s/g, " ")).toBe("2,5 %");
  expect(greet("es", "Ana")).toBe("Hola, Ana:");
  const sentence = "Ouvrez « Security » : https://panel.test ; vite !";
  expect(typeset("fr", sentence)).toBe("Ouvrez «\u00a0Security\u00a0»\u00a0: https://panel.test\u00a0; vite\u00a0!");
  expect(typeset("de", sentence)).toBe(sentence);
});
