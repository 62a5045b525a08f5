/** The languages that letters and notices are written in, and what is said in all of them alike. */
import { unlinked } from "../lib/unlinked.ts";

export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Something in every language: one that is missing is an error of types. */
export type InEach<Words> = Readonly<Record<Language, Words>>;

/** True for the code of one of them. */
export const isLanguage = (code: unknown): code is Language => LANGUAGES.some((language) => language === code);

/** Writes something in every language. */
export const inEach = <Words>(write: (language: Language) => Words): InEach<Words> => ({
  en: write("en"),
  de: write("de"),
  fr: write("fr"),
  es: write("es"),
});

const HEADER_MAX = 200;

/** The language that a browser asks for first (`Accept-Language`) of those there are; null when it asks for none of them. */
export function askedLanguage(header: string | null): Language | null {
  const asked = (header ?? "")
    .slice(0, HEADER_MAX)
    .split(",")
    .map((part) => {
      const [range = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
      const weight = parameters.find((word) => word.startsWith("q="));
      return { code: range.split("-")[0], weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return asked.map(({ code }) => code).find(isLanguage) ?? null;
}

const GREETINGS: InEach<{ named: (name: string) => string; plain: string }> = {
  en: { named: (name) => `Hello ${name},`, plain: "Hello," },
  de: { named: (name) => `Hallo ${name},`, plain: "Hallo," },
  fr: { named: (name) => `Bonjour ${name},`, plain: "Bonjour," },
  es: { named: (name) => `Hola, ${name}:`, plain: "Hola:" },
};

/** How a letter begins; without a name where nobody knows it. */
export const greet = (language: Language, name = ""): string =>
  name === "" ? GREETINGS[language].plain : GREETINGS[language].named(unlinked(name));

/** A text with the spaces of its language: in French none breaks before `: ; ! ?` and inside guillemets. */
export const typeset = (language: Language, text: string): string =>
  language === "fr" ? text.replace(/ (?=[:;!?»])|(?<=«) /g, "\u00a0") : text;

/** A number as the language writes it. */
export const sayNumber = (language: Language, value: number): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);

/** A share in percent, from 0 to 100. */
export const sayPercent = (language: Language, value: number): string =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 2 }).format(value / 100);

/** A day: "4 December 2026". `at` is in milliseconds. */
export const sayDay = (language: Language, at: number): string =>
  new Intl.DateTimeFormat(tagOf(language), { dateStyle: "long", timeZone: "UTC" }).format(at);

/** A moment: "4 December 2026 at 16:05 UTC"; `zone` is an IANA name, `at` in milliseconds. */
export const sayMoment = (language: Language, at: number, zone = "UTC"): string => {
  const moment = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" } as const;
  const form = { ...moment, timeZoneName: "short", timeZone: zone, hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat(tagOf(language), form).format(at);
};

/** English with the day before the month and 24 hours, as the other languages have them. */
const tagOf = (language: Language): string => (language === "en" ? "en-GB" : language);
