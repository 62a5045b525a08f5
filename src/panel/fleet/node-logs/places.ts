import type { Clock } from "../../../lib/clock.ts";
import { createSharedPlaces } from "../../../lib/shared-places.ts";
import { type Actor, countedAs } from "../../actor.ts";
import { fail, type LogMessage } from "./contract.ts";

/** Each holds a stream of a node and what of it waits. */
const PER_ACCOUNT = 10;
const PER_WORKSPACE = 100;
const IN_ALL = 1_000;

/** A place of whoever follows logs. */
export interface Place {
  /** Aborts when it went to somebody else. */
  lost: AbortSignal;
  /** Gives it back, once. */
  give(): void;
}

/** Bounds how many follow logs at a time; when those of the whole panel are taken, whoever has most makes room for whoever has fewer. */
export function createPlaces(clock: Pick<Clock, "monotonic">) {
  const places = createSharedPlaces(clock, { size: IN_ALL, fairMs: null });
  return {
    /** Takes a place. Throws `log_streams_full`. */
    take(actor: Pick<Actor, "account_id" | "tenant_id" | "is_wsl">): Place {
      const taken = places.take([
        { key: `account ${countedAs(actor)}`, most: PER_ACCOUNT, whose: "by your account" },
        { key: `workspace ${actor.tenant_id}`, most: PER_WORKSPACE, whose: "in this workspace" },
      ]);
      if (taken.full === null) return taken;
      const { most, whose } = taken.full === "all" ? { most: IN_ALL, whose: "on this panel" } : taken.full;
      throw fail("log_streams_full", { count: most, whose });
    },
  };
}

/** The messages that come while the place is held. Throws `log_stream_gave_way` when it is lost, and they end for that. */
export async function* whileHeld({ lost }: Place, messages: AsyncIterable<LogMessage>): AsyncGenerator<LogMessage> {
  for await (const message of messages) {
    // What it ends with is not the end of the log.
    if (lost.aborted) break;
    yield message;
  }
  if (lost.aborted) throw fail("log_stream_gave_way");
}
