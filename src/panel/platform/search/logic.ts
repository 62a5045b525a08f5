import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { seconds } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { FarAnswer } from "../../base.ts";
import {
  SEARCH_DEFAULT,
  type SearchDone,
  type SearchQuery,
  type SearchResult,
  type SearchResults,
} from "./contract.ts";
import type { Needs } from "./needs.ts";

/** An answer waits so long for servers. */
const PATIENCE_MS = 300;
/** A stream so long. */
const STREAM_MS = seconds(3);

/** Everything that the caller may see and that has the text, each kind with a fair share of the answer. */
export async function searchAll(needs: Needs, actor: Actor, query: SearchQuery): Promise<SearchResults> {
  const wanted = wantedOf(query);
  if (wanted === null) return { results: [], asked: 0, late: 0 };
  const over = endAfter(needs, PATIENCE_MS);
  try {
    const far = askFar(needs, actor, wanted, over.signal);
    const [near, ...others] = await Promise.all([
      searchNear(needs, actor, wanted),
      ...far.map(async ({ answers }) => (await Array.fromAsync(answers)).flat()),
    ]);
    const ofNodes = Map.groupBy(bestTitles(others.flat(), wanted.text), ({ source }) => source);
    const found = [...near, ...ofNodes.values()];
    return { results: shareOut(bestFirst(found, wanted.text), wanted.limit), ...answered(far) };
  } finally {
    over.end();
  }
}

/** The same as it comes: what the panel knows itself, then what servers find, then `done`. */
export async function* searchOn(
  needs: Needs,
  actor: Actor,
  query: SearchQuery,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const wanted = wantedOf(query);
  if (wanted === null) return yield { event: "done", data: { asked: 0, late: 0 } satisfies SearchDone };
  const over = endAfter(needs, STREAM_MS);
  try {
    const far = askFar(needs, actor, wanted, AbortSignal.any([over.signal, signal]));
    const near = await searchNear(needs, actor, wanted);
    const told = (results: SearchResult[]) => ({ results, ...answered(far) }) satisfies SearchResults;
    yield { event: "found", data: told(shareOut(bestFirst(near, wanted.text), wanted.limit)) };
    for (const { answers } of far) for await (const hits of answers) yield { event: "found", data: told(hits) };
    yield { event: "done", data: answered(far) satisfies SearchDone };
  } finally {
    over.end();
  }
}

interface Wanted {
  text: string;
  limit: number;
}

/** Null for a text with nothing in it. */
function wantedOf({ q = "", limit = SEARCH_DEFAULT }: SearchQuery): Wanted | null {
  const text = q.trim();
  return text === "" ? null : { text, limit };
}

const searchNear = ({ lists }: Needs, actor: Actor, { text, limit }: Wanted): Promise<SearchResult[][]> =>
  Promise.all(
    lists.searches
      .all()
      .map(async ({ source, find }) =>
        (await find(actor, text, limit)).map((hit): SearchResult => ({ source, ...hit })),
      ),
  );

const askFar = ({ lists }: Needs, actor: Actor, { text, limit }: Wanted, signal: AbortSignal): FarAnswer[] =>
  lists.farSearches.all().map(({ ask }) => ask(actor, text, limit, signal));

const answered = (far: readonly FarAnswer[]): SearchDone => ({
  asked: far.reduce((sum, { asked }) => sum + asked, 0),
  late: far.reduce((sum, { late }) => sum + late(), 0),
});

/** A signal that aborts by itself after a time. */
function endAfter({ clock }: Pick<Needs, "clock">, ms: number): { signal: AbortSignal; end(): void } {
  const over = new AbortController();
  const cancel = clock.after(ms, () => over.abort());
  return {
    signal: over.signal,
    end() {
      cancel();
      over.abort();
    },
  };
}

/** How well a title fits the words, the best first. */
function rankOf(title: string, text: string): number {
  const name = title.toLowerCase();
  const wanted = text.toLowerCase();
  if (name === wanted) return 0;
  return name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3;
}

/** What comes from many places in any order. */
const bestTitles = (hits: readonly SearchResult[], text: string): SearchResult[] =>
  hits.toSorted((a, b) => rankOf(a.title, text) - rankOf(b.title, text) || a.title.localeCompare(b.title));

/** Kinds in the order of their best title; those that are as good stay in the order of the features. */
function bestFirst(found: readonly SearchResult[][], text: string): SearchResult[][] {
  const best = (hits: readonly SearchResult[]): number => Math.min(...hits.map(({ title }) => rankOf(title, text)));
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
