import {
  type FilterField,
  type FleetFilter,
  figureWords,
  filterWords,
  isStatus,
  noFilter,
  readNumber,
  sameFilter,
  statuses,
  tokensOf,
} from "./filter.ts";

/** A filter from what was typed, and what of it was not understood. */
export interface ParsedWords {
  filter: FleetFilter;
  /** One sentence for each word that cannot be followed. */
  problems: string[];
}

interface Word {
  text: string;
  /** Place of the first colon or sign of comparison outside quotes, -1 without one: inside quotes it names nothing. */
  mark: number;
  /** A minus stands before it, outside quotes. */
  isLeftOut: boolean;
  /** Where it begins in what was typed. */
  start: number;
}

/** A filter that is being put together. */
type Growing = {
  -readonly [Name in keyof FleetFilter]: FleetFilter[Name] extends readonly string[] ? string[] : string;
};

/**
 * Reads what somebody typed, e.g. `status:offline region:"us east" -tag:lab cpu>80 web`. A known word with a colon or a comparison sets its
 * parameter, with a minus in front it leaves out; everything else is searched for. Quotes keep signs and spaces together, a backslash keeps the
 * sign after it.
 */
export function parseWords(text: string): ParsedWords {
  const filter: Growing = {
    status: [],
    region: [],
    version: [],
    tenant: [],
    group: [],
    tag: [],
    not: [],
    where: [],
    q: "",
  };
  const free: string[] = [];
  // Half a character has no place in an address.
  const problems = splitWords(text.toWellFormed()).flatMap((word) => readWord(word, filter, free) ?? []);
  filter.q = free.join(" ").trim();
  return { filter, problems };
}

/** Takes one word into the filter or into what is searched for; gives what is wrong with it, or null. */
function readWord({ text, mark, isLeftOut }: Word, filter: Growing, free: string[]): string | null {
  const body = isLeftOut ? text.slice(1) : text;
  const at = isLeftOut ? mark - 1 : mark;
  const name = at > 0 ? body.slice(0, at).toLowerCase() : "";
  const rest = body.slice(at + 1);
  const sign = at > 0 ? body[at] : undefined;
  const field = Object.hasOwn(filterWords, name) ? filterWords[name] : undefined;
  const figure = Object.hasOwn(figureWords, name) ? figureWords[name] : undefined;
  if (field !== undefined && sign === ":") return readValue(field, name, rest, isLeftOut, filter);
  if (field !== undefined && sign !== undefined) return `Write ${name}:${examples[field]}, with a colon.`;
  if (figure !== undefined && sign !== undefined) {
    if (sign === ":") return `Write ${figure.example}: ${name} is compared with <, <=, > or >=.`;
    if (isLeftOut) return `Turn the sign round instead of the minus, such as ${figure.example}.`;
    const isEqual = rest.startsWith("=");
    const number = readNumber(isEqual ? rest.slice(1) : rest, figure.isTime);
    if (number === null) return `Compare ${name} with a number, such as ${figure.example}.`;
    add(filter.where, `${name}${sign}${isEqual ? "=" : ""}${number}`);
    return null;
  }
  if (sign !== undefined && isWordLike(name, sign, rest)) return unknownWord(name, sign);
  if (!isLeftOut) free.push(text);
  else add(filter.not, `q:${body.trim()}`);
  return null;
}

function readValue(
  field: FilterField,
  name: string,
  value: string,
  isLeftOut: boolean,
  filter: Growing,
): string | null {
  const wanted = (field === "status" ? value.toLowerCase() : value).trim();
  if (wanted === "") return `Write what ${name}: shall be, such as ${name}:${examples[field]}.`;
  if (field === "status" && !isStatus(wanted))
    return `No node has the status “${value}”: it is one of ${statuses.join(", ")}.`;
  if (isLeftOut) add(filter.not, `${field}:${wanted}`);
  else add(filter[field], wanted);
  return null;
}

function add(list: string[], item: string): void {
  if (!list.includes(item)) list.push(item);
}

const examples: Record<FilterField, string> = {
  status: "offline",
  region: "eu-central",
  version: "1.4.2",
  tenant: "none",
  group: "lab",
  tag: "prod",
};

/** Whether somebody meant a word of the box: not the beginning of an address such as https:// or fe80::1. */
function isWordLike(name: string, sign: string, rest: string): boolean {
  return /^[a-z][a-z_-]+$/.test(name) && !(sign === ":" && (rest.startsWith("//") || rest.startsWith(":")));
}

function unknownWord(name: string, sign: string): string {
  const near = nearestWord(name);
  const hint =
    near === null
      ? `The words are ${[...Object.keys(filterWords), ...Object.keys(figureWords)].join(", ")}.`
      : `Did you mean ${near in filterWords ? `${near}:` : (figureWords[near]?.example ?? near)}?`;
  return `There is no word “${name}${sign}”. ${hint} Quotes around it search for it as text.`;
}

/** The word that a text was most likely meant to be; null when none is near. */
export function nearestWord(name: string): string | null {
  const words = [...Object.keys(filterWords), ...Object.keys(figureWords)];
  const known = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined;
  if (known !== undefined) return known;
  const [best] = words
    .map((word) => ({ word, edits: editsBetween(name, word) }))
    .toSorted((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1));
  return best !== undefined && best.edits <= (name.length < 4 ? 1 : 2) ? best.word : null;
}

/** What people call the same elsewhere. */
const synonyms: Readonly<Record<string, string>> = {
  state: "status",
  is: "status",
  health: "status",
  location: "region",
  zone: "region",
  customer: "client",
  tenant: "client",
  label: "tag",
  tags: "tag",
  processor: "cpu",
  load: "cpu",
  ram: "mem",
  memory: "mem",
  storage: "disk",
  up: "uptime",
  last_seen: "seen",
};

/** How many letters have to be put in, taken out, changed or swapped to get from one text to the other. */
function editsBetween(one: string, other: string): number {
  let older: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      now.push(
        Math.min(
          (before[column] ?? 0) + 1,
          (now[column - 1] ?? 0) + 1,
          (before[column - 1] ?? 0) + change,
          isSwap ? (older[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    older = before;
    before = now;
  }
  return before[other.length] ?? 0;
}

function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let word: Word | null = null;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] ?? "";
    if (!isQuoted && /\s/.test(sign)) {
      if (word !== null) words.push(finish(word));
      word = null;
      continue;
    }
    word ??= { text: "", mark: -1, isLeftOut: sign === "-", start: index };
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === "\\" && index + 1 < text.length) {
      index += 1;
      word.text += text[index] ?? "";
    } else {
      if (/[:<>]/.test(sign) && !isQuoted && word.mark < 0) word.mark = word.text.length;
      word.text += sign;
    }
  }
  if (word !== null) words.push(finish(word));
  return words;
}

/** A minus that nothing follows is text. */
const finish = (word: Word): Word => (word.text.slice(1).trim() === "" ? { ...word, isLeftOut: false } : word);

/** The filter as words that parseWords reads back to the same filter. */
export function writeWords(filter: FleetFilter): string {
  const words = tokensOf(filter).map(({ field, word, value }) =>
    field === null ? value : `${word}${word === "-" ? quotedText(value) : quoted(value)}`,
  );
  return [...words, ...(filter.q === "" ? [] : [freeText(filter.q)])].join(" ");
}

/** What was typed, cut before the word that is still being written; after a space there is none. */
export function beforeLast(text: string): { done: string; last: string } {
  const last = splitWords(`${text}\u0000`).at(-1);
  const start = last?.start ?? text.length;
  return { done: text.slice(0, start), last: text.slice(start) };
}

const inQuotes = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Puts quotes around a value that would fall apart without. */
export function quoted(value: string): string {
  return /[\s"\\]/.test(value) ? inQuotes(value) : value;
}

/** The same for text that is left out, where signs would make a word of it. */
const quotedText = (value: string): string => (/[\s"\\:<>]/.test(value) ? inQuotes(value) : value);

/** Text to search for stays as it is typed, unless it would be read as something else. */
export function freeText(q: string): string {
  const { filter, problems } = parseWords(q);
  return problems.length === 0 && sameFilter(filter, { ...noFilter, q }) ? q : inQuotes(q);
}
