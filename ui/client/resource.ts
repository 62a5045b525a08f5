import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, type CallOptions } from "./api.ts";
import { onReconnect } from "./connection.ts";
import { asProblem, type Problem } from "./problem.ts";
import type { Out, Route } from "./routes.ts";

/** Server data that keeps its last value while it reloads or fails. */
export interface Resource<T> {
  data: ReadonlySignal<T | null>;
  problem: ReadonlySignal<Problem | null>;
  loading: ReadonlySignal<boolean>;
  /** When the data came from the server, epoch ms; 0 before the first answer. */
  updatedAt: ReadonlySignal<number>;
  /** Loads again; calls during a running load join it. */
  refresh: () => Promise<void>;
  /** Replaces the data by what is known already, e.g. from the event stream. */
  set: (change: (now: T | null) => T | null) => void;
}

/** Makes a resource from a loader. It loads nothing until the first refresh(). */
export function createResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  now: () => number = Date.now,
): Resource<T> {
  const data: Signal<T | null> = signal(null);
  const problem: Signal<Problem | null> = signal(null);
  const loading = signal(false);
  const updatedAt = signal(0);
  let running: Promise<void> | null = null;
  let version = 0;

  const run = async (): Promise<void> => {
    loading.value = true;
    try {
      let started: number;
      let next: T;
      // A newer fact from the event stream beats an answer that was on its way before it; the rest of that fact is asked for.
      do {
        started = version;
        next = await load(new AbortController().signal);
      } while (started !== version);
      data.value = next;
      problem.value = null;
      updatedAt.value = now();
    } catch (error) {
      problem.value = asProblem(error);
    } finally {
      loading.value = false;
      running = null;
    }
  };
  return {
    data,
    problem,
    loading,
    updatedAt,
    refresh: () => {
      running ??= run();
      return running;
    },
    set: (change) => {
      version += 1;
      data.value = change(data.peek());
    },
  };
}

interface Entry<R extends Route> {
  route: R;
  made: Resource<Out<R>>;
}

const cache = new Map<string, { route: Route; made: unknown }>();

function isEntryOf<R extends Route>(entry: { route: Route; made: unknown } | undefined, route: R): entry is Entry<R> {
  return entry?.route === route;
}

/** The shared resource of a GET route; the same route and parameters give the same resource. */
export function resource<R extends Route>(route: R, options: CallOptions<R> = {}): Resource<Out<R>> {
  const key = JSON.stringify([route, options.path, options.query]);
  const known = cache.get(key);
  if (isEntryOf(known, route)) return known.made;
  const made = createResource<Out<R>>((abort) => api(route, { ...options, signal: abort }));
  cache.set(key, { route, made });
  return made;
}

/** Loads on first use, again after a reconnect, and every `everyMs` while the page is visible. */
export function useResource<R extends Route>(
  route: R,
  options: CallOptions<R> & { everyMs?: number } = {},
): Resource<Out<R>> {
  const { everyMs, ...call } = options;
  const found = resource<R>(route, call);
  useEffect(() => {
    void found.refresh();
    const stop = onReconnect(() => void found.refresh());
    const visible = (): void => {
      if (document.visibilityState === "visible") void found.refresh();
    };
    document.addEventListener("visibilitychange", visible);
    const timer =
      everyMs === undefined
        ? undefined
        : setInterval(() => document.visibilityState === "visible" && found.refresh(), everyMs);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", visible);
      clearInterval(timer);
    };
  }, [found, everyMs]);
  return found;
}

/** Forgets all data, at sign-out. */
export function clearResources(): void {
  cache.clear();
}
