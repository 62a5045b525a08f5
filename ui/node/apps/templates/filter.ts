import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { FIRST_CHOICES, IDLE_WORDS, SEARCH_WORDS } from "./search-words.ts";

/** Templates that fit the search and the category, best first; without a search in the order of their names. */
export function filterTemplates(templates: Template[], by: { search: string; category: string | null }): Template[] {
  const inCategory =
    by.category === null ? templates : templates.filter((template) => template.category === by.category);
  const byName = inCategory.toSorted((a, b) => a.display_name.localeCompare(b.display_name));
  const typed = wordsOf(by.search);
  const telling = typed.filter(isTelling);
  if (telling.length === 0) return byName;
  const spellings = otherSpellings(typed);
  return byName
    .map((template) => ({ template, score: scoreOf(template, telling, spellings) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ template }) => template);
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

const isTelling = (word: string): boolean => !IDLE_WORDS.has(word);

/** Words of which those in `exact` have to be there as they are. */
interface Spelling {
  exact: string[];
  others: string[];
}

/** Letters that each half of a word has: shorter ones make a word of anything. */
const leastOfHalf = 3;

/** The same words with two of them as one ("git hub"), or one of them as two ("smarthome"). */
function otherSpellings(typed: readonly string[]): Spelling[] {
  const without = (from: number, count: number): string[] => typed.toSpliced(from, count).filter(isTelling);
  const joined = typed
    .slice(1)
    .map((word, index) => ({ exact: [`${typed[index]}${word}`], others: without(index, 2) }));
  const split = typed.flatMap((word, index) =>
    Array.from({ length: Math.max(0, word.length - 2 * leastOfHalf + 1) }, (_, at) => ({
      exact: [word.slice(0, at + leastOfHalf), word.slice(at + leastOfHalf)],
      others: without(index, 1),
    })),
  );
  return [...joined, ...split];
}

/** How much a word counts where it stands: whole, as a beginning, or with a slip of the finger. */
interface Place {
  words: string[];
  whole: number;
  start: number;
  slip: number;
  /** Letters that a beginning must have. */
  least: number;
}

function placesOf({ name, display_name, category, tagline, description }: Template): Place[] {
  const names = [...wordsOf(display_name), ...wordsOf(name)];
  // What is written in two words is often typed in one.
  const joined = [names.join(""), wordsOf(display_name).join(""), wordsOf(name).join("")];
  // A whole word of the first choice says more than the beginning of another one's name: "photo" is not yet PhotoPrism.
  const lead = FIRST_CHOICES.has(name) ? { whole: 85, start: 50, slip: 44 } : { whole: 70, start: 45, slip: 40 };
  return [
    { words: [...names, ...joined], whole: 100, start: 80, slip: 60, least: 2 },
    { words: wordsOf(SEARCH_WORDS[name] ?? ""), ...lead, least: 2 },
    { words: wordsOf(tagline), whole: 30, start: 20, slip: 0, least: 4 },
    { words: wordsOf(category), whole: 28, start: 18, slip: 10, least: 3 },
    { words: wordsOf(description), whole: 12, start: 8, slip: 0, least: 4 },
  ];
}

/** 0 unless every word fits somewhere: one that is found nowhere makes whatever the others find a guess. */
function scoreOf(template: Template, wanted: readonly string[], spellings: readonly Spelling[]): number {
  const places = placesOf(template);
  // What an app says of itself in sentences has every word somewhere.
  const telling = places.slice(0, 2);
  const anywhere = (word: string): number => Math.max(...places.map((place) => scoreAt(place, word)));
  const exactly = (word: string): number => Math.max(...telling.map((place) => wholeAt(place, word)));
  const whole = Math.max(...places.slice(0, 1).map((place) => scoreAt(place, wanted.join(""))));
  return Math.max(
    wanted.length > 1 ? whole : 0,
    meanOf(wanted.map(anywhere)),
    ...spellings.map(({ exact, others }) => meanOf([...exact.map(exactly), ...others.map(anywhere)])),
  );
}

const meanOf = (scores: readonly number[]): number =>
  scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;

/** What stands first is meant most. */
function wholeAt({ words, whole }: Place, word: string): number {
  const at = words.findIndex((have) => have === word || singular(have) === singular(word));
  return at < 0 ? 0 : whole - Math.min(9, at) / 10;
}

function scoreAt(place: Place, word: string): number {
  const exact = wholeAt(place, word);
  if (exact > 0) return exact;
  const { words, start, slip, least } = place;
  if (word.length >= least && words.some((have) => have.startsWith(word))) return start;
  if (slip > 0 && words.some((have) => isSlip(word, have))) return slip;
  return 0;
}

/** English only, as the catalogue is. */
const singular = (word: string): string =>
  word.length > 4 && word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/(?<=..[^s])s$/, "");

/** True for words that a slip turns into one another: one in four letters, two in eight; also while the word is typed. */
function isSlip(typed: string, have: string): boolean {
  const most = typed.length >= 8 ? 2 : typed.length >= 4 ? 1 : 0;
  // The first letter is hardly ever wrong, unless it has changed places with the second.
  const begins = typed[0] === have[0] || (typed[0] === have[1] && typed[1] === have[0]);
  if (most === 0 || !begins || have.length < typed.length - most) return false;
  if (distance(typed, have) <= most) return true;
  return typed.length >= 5 && have.length > typed.length && distance(typed, have.slice(0, typed.length)) <= 1;
}

/** Letters to insert, delete, replace or swap with their neighbour until one word is the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
