import type { DiskUseCache } from "./disk-use.ts";

/** How a container ended last. */
export interface Death {
  exit_code: number;
  is_oom: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

/** Work that runs right now. */
export interface RunningWork {
  /** Ends the work early; what it made is left to whoever ends it. */
  abort: AbortController;
  done: Promise<void>;
}

/** What a running node knows of its apps beyond the database. */
export interface AppState {
  works: Map<string, RunningWork>;
  /** Apps that are paused on purpose for a moment, and count as running. */
  frozen: Set<string>;
  /** By container id; filled from the engine's events. */
  deaths: Map<string, Death>;
  /** JSON of the app list; null when something changed since. */
  list_json: string | null;
  disk: DiskUseCache;
  /** Newer versions by app id, as of the latest look. */
  updates: Map<string, string>;
  /** How often in a row the engine was lost in the middle of the work on an app. */
  losses: Map<string, number>;
  /** When the engine came back, by the monotonic clock; null while nothing says that it was away. */
  returned_at: number | null;
}

/** A state in which nothing runs. */
export function createAppState(disk: DiskUseCache): AppState {
  return {
    disk,
    works: new Map(),
    frozen: new Set(),
    deaths: new Map(),
    list_json: null,
    updates: new Map(),
    losses: new Map(),
    returned_at: null,
  };
}
