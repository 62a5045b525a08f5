import { Resolver } from "node:dns/promises";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { codeOf, LookupError } from "./lookup-error.ts";

/** A server that is silent for so long is asked again, for twice as long, or the next one is. */
const SERVER = { timeout: seconds(1.5), tries: 2 };
/** For all questions of one name together. */
const TOTAL_MS = seconds(5);
const MAX_ADDRESSES = 32;
const NOT_THERE: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);
const SILENT: ReadonlySet<unknown> = new Set(["ETIMEOUT", "ECANCELLED"]);

/** The addresses of the first of these names that has any, as the name servers say. Throws LookupError. */
export type AskServers = (names: readonly string[]) => Promise<string[]>;

/**
 * Asks this machine's name servers, or `servers`, by the event loop: no thread waits for them. What takes too long is ended, each name with
 * the sockets of its own.
 */
export const createServers =
  (clock: Pick<Clock, "after">, servers: readonly string[] | null): AskServers =>
  async (names) => {
    const resolver = new Resolver(SERVER);
    if (servers) resolver.setServers(servers);
    const cancel = clock.after(TOTAL_MS, () => resolver.cancel());
    let isUnsure = false;
    let isSilent = false;
    try {
      for (const name of names) {
        const parts = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
        const found = parts.flatMap((part) => (part.status === "fulfilled" ? part.value : []));
        if (found.length > 0) return found.slice(0, MAX_ADDRESSES);
        const codes = parts.flatMap((part) => (part.status === "rejected" ? [codeOf(part.reason)] : []));
        isUnsure ||= codes.some((code) => !NOT_THERE.has(code));
        isSilent = codes.some((code) => SILENT.has(code));
        // The next name would meet the same silence.
        if (isSilent) break;
      }
      throw new LookupError(isUnsure ? "EAI_AGAIN" : "ENOTFOUND", { isAnswer: !isSilent });
    } finally {
      cancel();
    }
  };
