import { useEffect, useRef, useState } from "preact/hooks";
import type { TimelineEntry } from "../../../../src/node/platform/timeline/contract.ts";
import { onReconnect } from "../../../client/connection.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";

/** What the reader asked for; empty texts mean everything. */
export interface Filter {
  category: string;
  q: string;
  from: string;
  to: string;
}

const pageSize = 60;
const freshMs = 30_000;

/** Query parameters of a filter, without the empty ones. */
export function toQuery(filter: Filter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
}

/** Entries by page, newest first; what is new comes in on top by itself. */
export function useStream(filter: Filter) {
  const [entries, setEntries] = useState<TimelineEntry[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const key = JSON.stringify(filter);
  // The answer to an earlier filter must not be added to the list of a later one.
  const current = useRef(key);
  current.current = key;

  const ask = async (cursor: string | null, take: (items: TimelineEntry[], next: string | null) => void) => {
    try {
      const query = { ...toQuery(filter), limit: pageSize, ...(cursor === null ? {} : { cursor }) };
      const page = await api("GET /api/timeline", { query });
      if (current.current !== key) return;
      take(page.items, page.next_cursor);
      setProblem(null);
    } catch (error) {
      if (current.current === key) setProblem(asProblem(error));
    }
  };
  const reload = () =>
    ask(null, (items, cursor) => {
      setEntries(items);
      setNext(cursor);
    });
  const older = () =>
    ask(next, (items, cursor) => {
      setEntries((before) => {
        // When the button was pressed twice, the same page arrives twice.
        const known = new Set(before?.map(({ id }) => id));
        return [...(before ?? []), ...items.filter(({ id }) => !known.has(id))];
      });
      setNext(cursor);
    });
  /** Puts what is new, and what was counted again, on top of what is there. */
  const refresh = () =>
    ask(null, (items) => {
      const known = new Set(items.map(({ id }) => id));
      setEntries((before) => [...items, ...(before ?? []).filter(({ id }) => !known.has(id))]);
    });

  useEffect(() => {
    setEntries(null);
    void reload();
    const timer = setInterval(() => document.visibilityState === "visible" && void refresh(), freshMs);
    const stop = onReconnect(() => void refresh());
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [key]);
  return { entries, problem, hasOlder: next !== null, reload, older };
}
