/** Timeline: what happened on this server in plain words, fed by the bus, and the inbox made of what deserves notice. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { days } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import { type Change, type ChangeQuery, listChanges } from "./changes.ts";
import { fail } from "./contract.ts";
import { timelineMeanings } from "./events.ts";
import { forgetReader } from "./inbox-store.ts";
import init from "./migrations/0001_timeline.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { pruneTimeline } from "./prune.ts";
import { recordEvents } from "./record.ts";
import { bindTimelineRoutes } from "./routes.ts";
import { announceStart } from "./start.ts";

export const timelineFeature = defineFeature({
  name: "timeline",
  migrations: [init],
  errors: fail.table,
  events: timelineMeanings,
});

/** What happened on the server. */
export interface Timeline extends Part {
  /** What was done to a thing or the server below it, newest first; see `listChanges`. */
  listChanges(query: ChangeQuery, actor: Pick<Actor, "role" | "user_id"> | null): Change[];
}

/** The timeline, which listens to everything and tells of the node's own start. */
export function createTimeline(needs: Needs): Timeline {
  const { bus, db, meanings } = needs;
  return {
    feature: timelineFeature,
    routes: [bindTimelineRoutes(needs)],
    jobs: [{ name: "timeline.prune", everyMs: days(1), run: (signal) => pruneTimeline(needs, signal) }],
    subscribe() {
      recordEvents(needs);
      bus.onAny((name, data) => {
        const gone = meanings.get(name)?.goneUser?.(data);
        if (gone !== undefined) db.tx(() => forgetReader(db, gone));
      });
    },
    start: () => announceStart(needs),
    listChanges: (query, actor) => listChanges(needs, query, actor),
  };
}
