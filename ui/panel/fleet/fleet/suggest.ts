import type { Facets } from "../../../../src/panel/fleet/fleet/contract.ts";
import { type FilterField, figureWords, filterWords } from "./filter.ts";
import { quoted } from "./words.ts";

/** Something to choose below the query box. */
export interface Suggestion {
  /** What stands in the box once it is chosen. */
  word: string;
  /** What it means, or how many nodes it leaves. */
  hint: string;
  /** Whether the word is whole, or waits for what stands behind its colon. */
  whole: boolean;
}

const most = 8;
const meanings: Record<FilterField, string> = {
  status: "online, degraded, offline or pending",
  region: "where it runs",
  version: "what it runs",
  tenant: "whose it is",
  group: "the group it is in",
  tag: "a tag it has",
};

/** What a person can be offered to choose from, by parameter. */
export type Known = Record<FilterField, [value: string, nodes: number][]>;

/** What the facets, the groups and the clients of a workspace offer; clients by their names. */
export function knownOf(
  facets: Facets | null,
  groups: readonly { name: string; instance_count: number }[],
  clients: ReadonlyMap<string, string>,
): Known {
  const list = (counts: Record<string, number> | undefined): [string, number][] =>
    Object.entries(counts ?? {})
      .filter(([, nodes]) => nodes > 0)
      .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return {
    status: Object.entries(facets?.status ?? {}),
    region: list(facets?.regions),
    version: list(facets?.versions),
    tenant: list(facets?.clients).map(([id, nodes]) => [clients.get(id) ?? id, nodes]),
    group: groups.map((group) => [group.name, group.instance_count]),
    tag: [],
  };
}

/** Suggestions for the word that is being written: words first, behind a colon their values; behind a minus the same, to leave out. */
export function suggestionsFor(last: string, known: Known): Suggestion[] {
  if (!last.startsWith("-")) return suggestionsAfter(last, known);
  return suggestionsAfter(last.slice(1), known)
    .filter(({ word }) => word.includes(":"))
    .map((one) => ({ ...one, word: `-${one.word}` }));
}

function suggestionsAfter(last: string, known: Known): Suggestion[] {
  const colon = last.indexOf(":");
  if (colon < 0) return last === "" || last.startsWith('"') ? [] : words(last.toLowerCase(), known);
  const word = last.slice(0, colon).toLowerCase();
  const field = filterWords[word];
  if (field === undefined) return [];
  const typed = last
    .slice(colon + 1)
    .replaceAll('"', "")
    .toLowerCase();
  return known[field]
    .filter(([value]) => value.toLowerCase().includes(typed))
    .slice(0, most)
    .map(([value, nodes]) => ({
      word: `${word}:${quoted(value)}`,
      hint: `${nodes.toLocaleString("en")} ${nodes === 1 ? "node" : "nodes"}`,
      whole: true,
    }));
}

function words(typed: string, known: Known): Suggestion[] {
  const starts = Object.entries(filterWords)
    .filter(([word, field]) => word.startsWith(typed) && (field !== "tenant" || known.tenant.length > 0))
    .map(([word, field]) => ({ word: `${word}:`, hint: meanings[field], whole: false }));
  const figures = Object.entries(figureWords)
    .filter(([word]) => word.startsWith(typed))
    .map(([word, { meaning, example }]) => ({
      word: `${word}>`,
      hint: `${meaning}, such as ${example}`,
      whole: false,
    }));
  const values = Object.entries(filterWords).flatMap(([word, field]) =>
    known[field]
      .filter(([value]) => value.toLowerCase().startsWith(typed))
      .map(([value, nodes]) => ({
        word: `${word}:${quoted(value)}`,
        hint: `${nodes.toLocaleString("en")} ${nodes === 1 ? "node" : "nodes"}`,
        whole: true,
      })),
  );
  return [...starts, ...figures, ...values].slice(0, most);
}
