import { type ReadonlySignal, signal } from "@preact/signals";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { pagesWith } from "./window.ts";

/** One page of a list from the server. */
export interface Page<T> {
  items: T[];
  /** Rows of the whole list. */
  total: number;
}

interface PagesOptions<T, P extends Page<T>> {
  /** Rows of a page. */
  size: number;
  /** Loads page `number`, counted from 1. */
  load: (number: number, signal: AbortSignal) => Promise<P>;
  keyOf: (row: T) => string;
  /** Pages kept in memory at most; those farthest from the view go first. */
  keep?: number;
}

/** A long list of which only the pages around the view are held. */
export interface Pages<T, P extends Page<T>> {
  /** Rises with every change of what `row` gives. */
  version: ReadonlySignal<number>;
  /** Rows of the whole list; null before the first answer. */
  total: ReadonlySignal<number | null>;
  /** The newest page that came, with what it says beside its rows; null before the first. */
  latest: ReadonlySignal<P | null>;
  problem: ReadonlySignal<Problem | null>;
  row: (index: number) => T | null;
  /** Says which rows are in view and loads what is missing; what is no longer wanted and still on its way is given up. */
  want: (first: number, end: number) => void;
  /** Loads the pages in view again and puts them in place together; those out of view are loaded when they come into it. */
  refresh: () => Promise<void>;
  /** Puts newer rows in the place of those with the same key, without moving any. */
  patch: (rows: readonly T[]) => void;
  /** Gives up everything on its way. */
  stop: () => void;
}

/** Makes the list; it loads nothing until `want`. */
export function createPages<T, P extends Page<T>>({ size, load, keyOf, keep = 12 }: PagesOptions<T, P>): Pages<T, P> {
  const version = signal(0);
  const total = signal<number | null>(null);
  const latest = signal<P | null>(null);
  const problem = signal<Problem | null>(null);
  const held = new Map<number, T[]>();
  /** Pages that came before the last refresh and were not in view then. */
  const old = new Set<number>();
  const running = new Map<number, AbortController>();
  let wanted: number[] = [0];
  let refreshing: AbortController | null = null;
  /** Refreshes that have come. */
  let refreshed = 0;

  const accept = (pages: [number, P][]): void => {
    for (const [number, page] of pages) {
      held.set(number, page.items);
      old.delete(number);
      total.value = page.total;
      latest.value = page;
    }
    forget();
    problem.value = null;
    version.value += 1;
  };
  const forget = (): void => {
    const middle = ((wanted[0] ?? 0) + (wanted.at(-1) ?? 0)) / 2;
    const far = [...held.keys()].toSorted((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const number of far.slice(0, Math.max(0, held.size - keep))) held.delete(number);
  };
  const fetchPage = async (number: number): Promise<void> => {
    const abort = new AbortController();
    running.set(number, abort);
    const begun = refreshed;
    try {
      const page = await load(number + 1, abort.signal);
      const isNewerThere = begun !== refreshed && held.has(number) && !old.has(number);
      if (!abort.signal.aborted && !isNewerThere) accept([[number, page]]);
    } catch (error) {
      if (!abort.signal.aborted) problem.value = asProblem(error);
    } finally {
      if (running.get(number) === abort) running.delete(number);
    }
  };
  return {
    version,
    total,
    latest,
    problem,
    row: (index) => held.get(Math.floor(index / size))?.[index % size] ?? null,
    want(first, end) {
      const pages = pagesWith(first, end, size);
      wanted = pages.length === 0 ? [0] : pages;
      for (const [number, abort] of running) {
        if (wanted.includes(number)) continue;
        abort.abort();
        running.delete(number);
      }
      for (const number of wanted) {
        if ((!held.has(number) || old.has(number)) && !running.has(number)) void fetchPage(number);
      }
    },
    async refresh() {
      refreshing?.abort();
      const abort = new AbortController();
      refreshing = abort;
      const numbers = wanted;
      for (const number of held.keys()) if (!numbers.includes(number)) old.add(number);
      try {
        const pages = await Promise.all(
          numbers.map(async (number): Promise<[number, P]> => [number, await load(number + 1, abort.signal)]),
        );
        if (abort.signal.aborted) return;
        refreshed += 1;
        accept(pages);
      } catch (error) {
        if (!abort.signal.aborted) problem.value = asProblem(error);
      }
    },
    patch(rows) {
      const byKey = new Map(rows.map((row) => [keyOf(row), row]));
      for (const [number, items] of held) {
        if (items.some((row) => byKey.has(keyOf(row))))
          held.set(
            number,
            items.map((row) => byKey.get(keyOf(row)) ?? row),
          );
      }
      version.value += 1;
    },
    stop() {
      refreshing?.abort();
      for (const abort of running.values()) abort.abort();
      running.clear();
    },
  };
}
