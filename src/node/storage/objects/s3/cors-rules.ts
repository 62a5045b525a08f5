import { isRecord, parseJson } from "../../../../lib/json.ts";

/** Which pages of other origins a bucket answers, as it is kept. */
export interface CorsRule {
  origins: string[];
  methods: string[];
  headers: string[];
  exposed: string[];
  maxAgeS: number | null;
}

/** What a document may be in bytes, and how many rules it may have: as with S3. */
export const MOST_BYTES = 64 * 1024;
export const MOST_RULES = 100;
/** What one rule may name, for which S3 has the size of the document alone. A page asks for no more headers either. */
export const MOST_HEADERS = 100;
export const MOST_ORIGINS = 1_000;
/** No document of that size is as long as it is kept. */
const MOST_LETTERS = 3 * MOST_BYTES;

/** Methods that a rule can allow. */
export const METHODS = ["GET", "PUT", "POST", "DELETE", "HEAD"];

const areTexts = (value: unknown, most: number): value is string[] =>
  Array.isArray(value) && value.length <= most && value.every((text) => typeof text === "string");

function isRule(value: unknown): value is CorsRule {
  return (
    isRecord(value) &&
    areTexts(value["origins"], MOST_ORIGINS) &&
    areTexts(value["methods"], MOST_LETTERS) &&
    areTexts(value["headers"], MOST_HEADERS) &&
    areTexts(value["exposed"], MOST_HEADERS) &&
    (value["maxAgeS"] === null || typeof value["maxAgeS"] === "number")
  );
}

/** Rules as a bucket keeps them. Those that hold more than rules may, as they might before there was a limit, are none. */
export function readCorsRules(text: string | null): CorsRule[] {
  const given = text === null || text.length > MOST_LETTERS ? [] : parseJson(text);
  return Array.isArray(given) && given.length <= MOST_RULES ? given.filter(isRule) : [];
}

/** Texts, in small letters, with which others are compared: whole ones, and what stands before and after a star. */
interface Patterns {
  whole: ReadonlySet<string>;
  starred: readonly (readonly [begin: string, end: string])[];
}

/** A rule as requests are compared with it. */
export interface ReadyRule {
  methods: ReadonlySet<string>;
  origins: Patterns;
  headers: Patterns;
  isForAll: boolean;
  /** As headers of answers. */
  told: { methods: string; exposed: string };
  maxAgeS: number | null;
}

function readyPatterns(texts: readonly string[]): Patterns {
  const cut = texts.map((text) => text.toLowerCase().split("*", 2));
  return {
    whole: new Set(cut.flatMap(([begin = "", end]) => (end === undefined ? [begin] : []))),
    starred: cut.flatMap(([begin = "", end]) => (end === undefined ? [] : [[begin, end] as const])),
  };
}

/** The rules of a bucket, made ready for as many requests as come. */
export const readyRules = (text: string): ReadyRule[] =>
  readCorsRules(text).map(({ origins, methods, headers, exposed, maxAgeS }) => ({
    methods: new Set(methods),
    origins: readyPatterns(origins),
    headers: readyPatterns(headers),
    isForAll: origins.includes("*"),
    told: { methods: [...new Set(methods)].join(", "), exposed: exposed.join(", ") },
    maxAgeS,
  }));

/** Whether one of the patterns stands for a text in small letters: a star stands for anything, once. */
const fits = ({ whole, starred }: Patterns, small: string): boolean =>
  whole.has(small) ||
  starred.some(
    ([begin, end]) => small.length >= begin.length + end.length && small.startsWith(begin) && small.endsWith(end),
  );

/** The first rule that lets pages of an origin send that method with those headers; null where none does. */
export function findRule(
  rules: readonly ReadyRule[],
  origin: string,
  method: string,
  names: readonly string[],
): ReadyRule | null {
  const smallOrigin = origin.toLowerCase();
  const smallNames = [...new Set(names.map((name) => name.toLowerCase()))];
  const found = rules.find(
    ({ methods, origins, headers }) =>
      methods.has(method) && fits(origins, smallOrigin) && smallNames.every((name) => fits(headers, name)),
  );
  return found ?? null;
}
