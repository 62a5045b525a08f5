import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Api, type Call, type InOf, lastChange, type OutOf, type RouteMap, type RouteOf } from "./call.ts";
import { onReconnect } from "./connection.ts";
import { asProblem, type Problem } from "./problem.ts";
import { createShelf } from "./shelf.ts";

/** Server data that keeps its last value while it reloads or fails. */
export interface Resource<T> {
  data: ReadonlySignal<T | null>;
  problem: ReadonlySignal<Problem | null>;
  loading: ReadonlySignal<boolean>;
  /** When the data came from the server, epoch ms; 0 before the first answer. */
  updatedAt: ReadonlySignal<number>;
  /** Loads anew. The answer of a load that is under way may be older than this call, so one more load follows it. */
  refresh: () => Promise<void>;
  /** Loads, or waits for the load that is under way. */
  load: () => Promise<void>;
  /** Loads unless that was done a moment ago, and nothing was changed from this page since. */
  need: () => void;
  /** Replaces the data by what is known already, e.g. from the event stream. */
  set: (change: (now: T | null) => T | null) => void;
}

/** For so long an answer does for whoever else shows it on the same page. */
const freshMs = 2000;

/** Makes a resource from a loader. It loads nothing until the first load() or refresh(). */
export function createResource<T>(load: () => Promise<T>, now: () => number = Date.now): Resource<T> {
  const data: Signal<T | null> = signal(null);
  const problem: Signal<Problem | null> = signal(null);
  const loading = signal(false);
  const updatedAt = signal(0);
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  let version = 0;
  let askedAt = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    loading.value = true;
    askedAt = performance.now();
    try {
      let started: number;
      let next: T;
      // When `set` was called meanwhile, this answer may be older than that change: it is asked for again.
      do {
        started = version;
        next = await load();
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
  const start = (): Promise<void> => {
    running ??= run();
    return running;
  };
  const refresh = (): Promise<void> => {
    if (running === null) return start();
    following ??= running.then(() => {
      following = null;
      return start();
    });
    return following;
  };
  return {
    data,
    problem,
    loading,
    updatedAt,
    refresh,
    load: start,
    need: () => {
      const isSinceChange = askedAt > lastChange();
      if (running !== null) {
        if (!isSinceChange) void refresh();
        return;
      }
      const isFresh = problem.peek() === null && performance.now() - askedAt < freshMs;
      if (!isFresh || !isSinceChange) void start();
    },
    set: (change) => {
      version += 1;
      data.value = change(data.peek());
    },
  };
}

/** The shared resources of a program's GET routes. */
export interface Resources<M> {
  /** The same route and parameters give the same resource. */
  resource: <R extends RouteOf<M>>(route: R, options?: Call<InOf<M, R>>) => Resource<OutOf<M, R>>;
  /** Loads on first use, again after a reconnect, and every `everyMs` while the page is visible. */
  useResource: <R extends RouteOf<M>>(
    route: R,
    options?: Call<InOf<M, R>> & { everyMs?: number },
  ) => Resource<OutOf<M, R>>;
  /** Forgets all data, at sign-out. */
  clearResources: () => void;
}

interface Entry<M, R extends RouteOf<M>> {
  route: R;
  made: Resource<OutOf<M, R>>;
}

/** How many answers that no component shows are kept, so that going back shows them at once. */
const keptUnseen = 50;

/** Makes the resources that a program's screens share. */
export function createResources<M extends RouteMap<M>>(api: Api<M>): Resources<M> {
  const shelf = createShelf<{ route: RouteOf<M>; made: unknown }>(keptUnseen);

  function isEntryOf<R extends RouteOf<M>>(entry: { route: string }, route: R): entry is Entry<M, R> {
    return entry.route === route;
  }

  function find<R extends RouteOf<M>>(route: R, options: Call<InOf<M, R>>): Entry<M, R> {
    const make = (): Entry<M, R> => ({ route, made: createResource(() => api(route, options)) });
    // Answers without parameters stay: they are few, and many places refer to them.
    const lasts = options.path === undefined && options.query === undefined;
    const entry = shelf.take(JSON.stringify([route, options.path, options.query]), make, { lasts });
    return isEntryOf(entry, route) ? entry : make();
  }

  return {
    resource: (route, options = {}) => find(route, options).made,
    useResource(route, options = {}) {
      const { everyMs, ...call } = options;
      const entry = find(route, call);
      useEffect(() => shelf.hold(entry), [entry]);
      useLoaded(entry.made, everyMs);
      return entry.made;
    },
    clearResources: () => shelf.clear(),
  };
}

/** Loads now, again after a reconnect, and every `everyMs` while the page is visible. */
function useLoaded({ load, need }: Pick<Resource<unknown>, "load" | "need">, everyMs: number | undefined): void {
  useEffect(() => {
    need();
    const stop = onReconnect(() => void load());
    const visible = (): void => {
      if (document.visibilityState === "visible") void load();
    };
    document.addEventListener("visibilitychange", visible);
    const timer = everyMs === undefined ? undefined : setInterval(visible, everyMs);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", visible);
      clearInterval(timer);
    };
  }, [load, need, everyMs]);
}
