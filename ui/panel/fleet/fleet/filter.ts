/** What a list of nodes is filtered by; null means any. The names are those of the API's query. */
export interface FleetFilter {
  status: string | null;
  region: string | null;
  version: string | null;
  /** A client of the workspace, or "none". */
  tenant: string | null;
  /** Id or name of a group. */
  group: string | null;
  /** Part of a host name, address, tag or place. */
  q: string;
}

export const noFilter: FleetFilter = { status: null, region: null, version: null, tenant: null, group: null, q: "" };

/** A parameter of the filter that a word of the query box sets. */
export type FilterField = Exclude<keyof FleetFilter, "q">;

/** The words of the query box and the parameter each one sets. */
export const filterWords: Record<string, FilterField> = {
  status: "status",
  region: "region",
  version: "version",
  client: "tenant",
  group: "group",
};

/** States that the list can be narrowed to. */
export const statuses = ["online", "degraded", "offline", "pending"] as const;

/** A filter from what was typed, and what of it was not understood. */
export interface ParsedWords {
  filter: FleetFilter;
  /** One sentence for each word that cannot be followed. */
  problems: string[];
}

interface Word {
  text: string;
  /** Place of the first colon outside quotes, -1 without one: a colon inside quotes names nothing. */
  colon: number;
  /** Where it begins in what was typed. */
  start: number;
}

/**
 * Reads what somebody typed, e.g. `status:offline region:"us east" web`. A known word with a colon sets its parameter, the last one
 * wins; everything else is searched for. Quotes keep spaces and colons together, a backslash keeps the sign after it.
 */
export function parseWords(text: string): ParsedWords {
  const filter = { ...noFilter };
  const problems: string[] = [];
  const free: string[] = [];
  for (const word of splitWords(text)) {
    const name = word.text.slice(0, Math.max(0, word.colon)).toLowerCase();
    const field = word.colon < 0 ? undefined : filterWords[name];
    const value = word.text.slice(word.colon + 1);
    if (field === undefined) free.push(word.text);
    else if (value === "") problems.push(`Write what ${name}: shall be, such as ${name}:${examples[field]}.`);
    else if (field === "status" && !isStatus(value.toLowerCase()))
      problems.push(`No node has the status “${value}”: it is one of ${statuses.join(", ")}.`);
    else filter[field] = field === "status" ? value.toLowerCase() : value;
  }
  filter.q = free.join(" ");
  return { filter, problems };
}

const examples: Record<FilterField, string> = {
  status: "offline",
  region: "eu-central",
  version: "1.4.2",
  tenant: "none",
  group: "lab",
};

/** Whether a text is one of the four states. */
export function isStatus(value: string): value is (typeof statuses)[number] {
  return statuses.some((status) => status === value);
}

function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let word: Word | null = null;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] ?? "";
    if (!isQuoted && /\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word ??= { text: "", colon: -1, start: index };
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === "\\" && index + 1 < text.length) {
      index += 1;
      word.text += text[index] ?? "";
    } else {
      if (sign === ":" && !isQuoted && word.colon < 0) word.colon = word.text.length;
      word.text += sign;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

/** The filter as words that parseWords reads back to the same filter. */
export function writeWords(filter: FleetFilter): string {
  const words = Object.entries(filterWords).flatMap(([word, field]) => {
    const value = filter[field];
    return value === null || value === "" ? [] : [`${word}:${quoted(value)}`];
  });
  return [...words, ...(filter.q === "" ? [] : [freeText(filter.q)])].join(" ");
}

/** What was typed, cut before the word that is still being written; after a space there is none. */
export function beforeLast(text: string): { done: string; last: string } {
  const last = splitWords(`${text}\u0000`).at(-1);
  const start = last?.start ?? text.length;
  return { done: text.slice(0, start), last: text.slice(start) };
}

/** Puts quotes around a value that would fall apart without. */
export function quoted(value: string): string {
  return /[\s"\\]/.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : value;
}

/** Text to search for stays as it is typed, unless it would be read as something else. */
function freeText(q: string): string {
  const { filter, problems } = parseWords(q);
  const isPlain = problems.length === 0 && filter.q === q && Object.keys(filterWords).every((word) => !names(q, word));
  return isPlain ? q : `"${q.replace(/["\\]/g, "\\$&")}"`;
}

const names = (q: string, word: string): boolean => q.toLowerCase().includes(`${word}:`);

/** The filter that an address asks for; what it does not know stays out. */
export function filterOf(query: URLSearchParams): FleetFilter {
  const filter = { ...noFilter, q: query.get("q")?.trim() ?? "" };
  for (const field of Object.values(filterWords)) filter[field] = query.get(field)?.trim() || null;
  if (filter.status !== null && !isStatus(filter.status)) filter.status = null;
  return filter;
}

/** The filter as parameters: of the address, and of the API. Null takes a parameter out. */
export function toParameters(filter: FleetFilter): Record<keyof FleetFilter, string | null> {
  return { ...filter, q: filter.q === "" ? null : filter.q };
}

/** Whether two filters ask for the same. */
export function sameFilter(one: FleetFilter, other: FleetFilter): boolean {
  return one.q === other.q && Object.values(filterWords).every((field) => one[field] === other[field]);
}

/** Whether anything is narrowed at all. */
export function isFiltered(filter: FleetFilter): boolean {
  return !sameFilter(filter, noFilter);
}

/** A parameter that is set. */
export interface FilterToken {
  field: FilterField;
  word: string;
  value: string;
}

/** What the filter sets besides the search text, in the order of the words. */
export function tokensOf(filter: FleetFilter): FilterToken[] {
  return Object.entries(filterWords).flatMap(([word, field]) => {
    const value = filter[field];
    return value === null ? [] : [{ field, word, value }];
  });
}
