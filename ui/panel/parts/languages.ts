import type { Routes } from "../client/routes.ts";

/** A language that letters are written in. */
export type Language = Routes["GET /api/auth/language"]["out"]["otherwise"];

/** Each in its own words, so that whoever reads no other finds it. */
export const languageNames: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

/** As choices, after one that says what holds where none is made. */
export const languageChoices = (otherwise: string): { value: Language | ""; label: string }[] => [
  { value: "", label: otherwise },
  ...(["en", "de", "fr", "es"] as const).map((value) => ({ value, label: languageNames[value] })),
];
