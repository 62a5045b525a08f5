import { seconds } from "../../../../lib/duration.ts";
import { findLink, findRevision, type LinkRow } from "../link-store.ts";
import type { Own } from "../needs.ts";
import { announceLink } from "./announce.ts";
import { converse } from "./conversation.ts";
import { LinkChanged } from "./held-link.ts";

/** How soon a link is noticed that another process wrote. */
const LOOK_MS = seconds(1);
/** However often somebody asks for a heartbeat. */
const LEAST_GAP_MS = 250;
const BROKEN_MS = seconds(30);

/** Talks with the panel that this node belongs to, whichever that is at the time, until `own.signal` aborts. */
export async function runPanelLink(own: Own): Promise<void> {
  const { db, clock, log, signal } = own;
  const bell = createBell(own);
  while (!signal.aborted) {
    const row = findLink(db);
    own.standing.say("changed");
    if (row) announceLink(own, row);
    if (!row || row.ended !== null) {
      await bell.rest(row?.revision ?? null, Number.POSITIVE_INFINITY);
      continue;
    }
    try {
      await follow(own, row, bell);
    } catch (error) {
      if (error instanceof LinkChanged) continue;
      log.error("the link to the panel is broken", { error });
      await clock.sleep(BROKEN_MS, signal);
    }
  }
  bell.stop();
}

async function follow(own: Own, row: LinkRow, bell: Bell): Promise<void> {
  const { db, signal, standing } = own;
  const talk = converse(own, row);
  signal.addEventListener("abort", talk.close, { once: true });
  const stops = [standing.on("tell_all", () => talk.forgetHeard())];
  try {
    while (!signal.aborted && findRevision(db) === row.revision) {
      const waitMs = await talk.beat();
      if (waitMs === null) return;
      await bell.rest(row.revision, waitMs);
    }
  } finally {
    signal.removeEventListener("abort", talk.close);
    for (const stop of stops) stop();
    talk.close();
  }
}

/** Remembers that a heartbeat was asked for, also while one is on its way: it may have left too early to tell. */
interface Bell {
  /** Waits `ms`, less when somebody rings or rang, when the link changes or when the program stops. */
  rest(revision: string | null, ms: number): Promise<void>;
  stop(): void;
}

function createBell({ db, clock, signal, standing }: Own): Bell {
  let rung = new AbortController();
  const ring = () => rung.abort();
  const stop = standing.on("beat", ring);
  signal.addEventListener("abort", ring, { once: true });
  return {
    stop,
    async rest(revision, ms) {
      const end = clock.monotonic() + ms;
      while (!rung.signal.aborted && findRevision(db) === revision) {
        const left = end - clock.monotonic();
        if (left <= 0) return;
        await clock.sleep(Math.min(LOOK_MS, left), rung.signal);
      }
      if (!rung.signal.aborted || signal.aborted) return;
      // Whoever rings within the gap is heard by the same heartbeat.
      await clock.sleep(LEAST_GAP_MS, signal);
      rung = new AbortController();
    },
  };
}
