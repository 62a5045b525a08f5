/** Timeline: what happened on this server in plain words, fed by the bus, and the inbox made of what deserves notice. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { days } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { timelineMeanings } from "./events.ts";
import { forgetReader } from "./inbox-store.ts";
import init from "./migrations/0001_timeline.sql" with { type: "text" };
import { pruneTimeline } from "./prune.ts";
import { recordEvents } from "./record.ts";
import { timelineRoutes } from "./routes.ts";
import { announceStart } from "./start.ts";

export const timeline = defineContextFeature<NodeContext>({
  name: "timeline",
  migrations: [init],
  errors: fail.table,
  events: timelineMeanings,
  routes: timelineRoutes,
  jobs: (ctx) => [{ name: "timeline.prune", everyMs: days(1), run: (signal) => pruneTimeline(ctx, signal) }],
  subscribe(ctx) {
    recordEvents(ctx);
    ctx.bus.onAny((name, data) => {
      const gone = ctx.meanings.get(name)?.goneUser?.(data);
      if (gone !== undefined) ctx.db.tx(() => forgetReader(ctx.db, gone));
    });
  },
  start: announceStart,
});
