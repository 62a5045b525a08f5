/**
 * How dates and times are written: in the reader's English, and for readers of other languages in one with days before months and 24
 * hours. The words around them are English, so a date of another language would not fit in.
 */
export const locale = localeOf(globalThis.navigator?.languages ?? []);

/** The first English among the languages of a reader. */
export function localeOf(languages: readonly string[]): string {
  return languages.find((language) => /^en\b/i.test(language)) ?? "en-GB";
}
