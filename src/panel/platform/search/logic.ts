import type { Actor } from "../../actor.ts";
import { SEARCH_DEFAULT, type SearchQuery, type SearchResult, type SearchResults } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** Everything that the caller may see and that has the text, each kind with a fair share of the answer. */
export async function searchAll({ lists }: Needs, actor: Actor, query: SearchQuery): Promise<SearchResults> {
  const { q = "", limit = SEARCH_DEFAULT } = query;
  const text = q.trim();
  if (text === "") return { results: [] };
  const sources = lists.searches.all();
  const found = await Promise.all(
    sources.map(async ({ source, find }) =>
      (await find(actor, text, limit)).map((hit): SearchResult => ({ source, ...hit })),
    ),
  );
  return { results: shareOut(bestFirst(found, text), limit) };
}

/** Kinds in the order of their best title; those that are as good stay in the order of the features. */
function bestFirst(found: readonly SearchResult[][], text: string): SearchResult[][] {
  const wanted = text.toLowerCase();
  const rankOf = ({ title }: SearchResult): number => {
    const name = title.toLowerCase();
    if (name === wanted) return 0;
    return name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3;
  };
  const best = (hits: readonly SearchResult[]): number => Math.min(...hits.map(rankOf));
  return found.filter((hits) => hits.length > 0).toSorted((a, b) => best(a) - best(b));
}

/** The first of each kind in turn until there are enough, then kind by kind again. */
function shareOut(found: readonly SearchResult[][], limit: number): SearchResult[] {
  const taken = found.map(() => 0);
  let left = Math.min(
    limit,
    found.reduce((sum, hits) => sum + hits.length, 0),
  );
  for (let turn = 0; left > 0; turn++) {
    for (const [kind, hits] of found.entries()) {
      if (left === 0 || turn >= hits.length) continue;
      taken[kind] = turn + 1;
      left -= 1;
    }
  }
  return found.flatMap((hits, kind) => hits.slice(0, taken[kind]));
}
