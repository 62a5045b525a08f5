import { minutes } from "../../../lib/duration.ts";
import type { LogLine } from "./contract.ts";
import { type Beginning, followContainer } from "./follow-container.ts";
import { followSystem } from "./follow-system.ts";
import { createMerge } from "./merge.ts";
import type { Own } from "./needs.ts";
import { containerIn, containerSource, SYSTEM } from "./sources.ts";

export interface FollowOptions {
  /**
   * The moment to begin at, of all sources or of each; lines of just that moment come again, so that none is lost. A source that is
   * not named begins where the first of the others does. Null, or no moment at all, begins with what is written from now on.
   */
  since: string | Readonly<Record<string, string>> | null;
  signal: AbortSignal;
}

/** Lines of several logs as they are written. */
export type Follow = (sources: readonly string[], options: FollowOptions) => AsyncIterable<LogLine>;

/** Events tell of new containers; this is for engines that lost one. */
const LOOK_AGAIN_MS = minutes(1);

function beginningOf(since: FollowOptions["since"], now: string): (source: string) => Beginning {
  if (since === null) return () => ({ at: now, isNow: true });
  if (typeof since === "string") return () => ({ at: since, isNow: false });
  const first = Object.values(since).sort()[0];
  return (source) => ({ at: since[source] ?? first ?? now, isNow: first === undefined });
}

/**
 * Follows these logs, all there are and come where `sources` is empty, until `signal` aborts. Nothing is read ahead of the reader: one
 * that is slow makes the programs wait that bring the lines. Containers are followed through stops and restarts.
 */
export async function* follow(
  own: Own,
  sources: readonly string[],
  { since, signal }: FollowOptions,
): AsyncIterable<LogLine> {
  const left = new AbortController();
  const until = AbortSignal.any([own.signal, signal, left.signal]);
  const begin = beginningOf(since, new Date(own.clock.now()).toISOString().replace("Z", "000000Z"));
  const merge = createMerge<LogLine>(until);
  const isWanted = (source: string): boolean => sources.length === 0 || sources.includes(source);
  const followed = new Set<string>();

  async function keepContainers(): Promise<void> {
    if (sources.length > 0 && !sources.some((source) => containerIn(source) !== null)) return;
    while (!until.aborted) {
      const seen = own.containers.version();
      const found = await own.containers.list().catch(() => []);
      for (const { id, name } of found) {
        const source = containerSource(name);
        if (followed.has(id) || !isWanted(source)) continue;
        followed.add(id);
        const lines = followContainer(own, { id, source, since: begin(source) }, until);
        // Ends with the container; a list that was older than its end would begin it anew without end.
        void merge.add(lines);
      }
      const again = new AbortController();
      const cancel = own.clock.after(LOOK_AGAIN_MS, () => again.abort());
      await own.containers.untilChanged(seen, AbortSignal.any([until, again.signal]));
      cancel();
    }
  }

  if (isWanted(SYSTEM)) void merge.add(followSystem(own, begin(SYSTEM).at, until));
  void keepContainers();
  try {
    yield* merge.items();
  } finally {
    left.abort();
  }
}
