import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { FIRST_CHOICES, IDLE_WORDS, SEARCH_WORDS } from "./search-words.ts";

/** Templates that fit the search and the category, best first; without a search in the order of their names. */
export function filterTemplates(templates: Template[], by: { search: string; category: string | null }): Template[] {
  const inCategory =
    by.category === null ? templates : templates.filter((template) => template.category === by.category);
  const byName = inCategory.toSorted((a, b) => a.display_name.localeCompare(b.display_name));
  const telling = wordsOf(by.search).filter((word) => !IDLE_WORDS.has(word));
  if (telling.length === 0) return byName;
  return byName
    .map((template) => ({ template, score: scoreOf(template, telling) }))
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
function scoreOf(template: Template, wanted: readonly string[]): number {
  const places = placesOf(template);
  const scores = wanted.map((word) => Math.max(0, ...places.map((place) => scoreAt(place, word))));
  const whole = Math.max(0, ...places.slice(0, 1).map((place) => scoreAt(place, wanted.join(""))));
  if (scores.includes(0)) return wanted.length > 1 ? whole : 0;
  return Math.max(whole, scores.reduce((sum, score) => sum + score, 0) / scores.length);
}

function scoreAt({ words, whole, start, slip, least }: Place, word: string): number {
  const at = words.findIndex((have) => have === word || singular(have) === singular(word));
  // What stands first is meant most.
  if (at >= 0) return whole - Math.min(9, at) / 10;
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
