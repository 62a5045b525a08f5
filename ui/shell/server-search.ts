import { useLayoutEffect } from "preact/hooks";
import { matchScore } from "../kit/match.ts";
import type { Command } from "../kit/palette.tsx";
import type { Answer, Search, Told } from "./finder.ts";

/** After the last letter, before the server is asked. */
const pauseMs = 120;

/**
 * Asks the server for the words. Until it answers, what it found for those before stays as far as it has the new ones too, so that
 * Enter never runs what fits no more.
 */
export const ServerSearch: Search = ({ finders, words, onAnswer }) => {
  const searches = finders.flatMap(({ search }) => search ?? []);
  // Before anything is drawn, so that nobody is shown what fits no more.
  useLayoutEffect(() => {
    const abort = new AbortController();
    const parts = searches.map((): Told | null => null);
    onAnswer((before) => stillFitting(before, words));
    const timer = setTimeout(() => {
      for (const [index, search] of searches.entries())
        search(words, abort.signal, (told) => {
          if (abort.signal.aborted) return;
          parts[index] = told;
          onAnswer(() => ({ words, ...joined(parts) }));
        });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [words, searches.length]);
  return null;
};

/** Of what was found for other words, that which has these too. */
function stillFitting({ words: before, found }: Answer, words: string): Answer {
  const fits = ({ title, detail = "", group }: Command) => matchScore(words, { title, words: detail, group }) > 0;
  return { words: before, found: found.filter(fits), later: [], note: null, isOver: false };
}

function joined(parts: readonly (Told | null)[]): Told {
  const told = parts.filter((part) => part !== null);
  return {
    found: told.flatMap(({ found }) => found),
    later: told.flatMap(({ later }) => later),
    note: told.map(({ note }) => note).find((note) => note !== null) ?? null,
    isOver: told.length === parts.length && told.every(({ isOver }) => isOver),
  };
}
