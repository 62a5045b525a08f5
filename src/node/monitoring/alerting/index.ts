/** Alerting: rules over what is measured and what happens, judged every minute; each episode is told once and once over. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { pruneEvents } from "./events/event-store.ts";
import { alertingMeanings } from "./events.ts";
import { pruneTurns } from "./facts/fact-store.ts";
import { hearEvent } from "./facts/facts.ts";
import { evaluate, type Watch } from "./judge/evaluate.ts";
import init from "./migrations/0001_alerting.sql" with { type: "text" };
import factLog from "./migrations/0002_fact_log.sql" with { type: "text" };
import { alertingRoutes } from "./routes.ts";
import { makeStarters } from "./rules/starters.ts";

export { countOpen as countOpenAlerts } from "./events/event-store.ts";

const KEPT_MS = days(365);
const TURNS_KEPT_MS = hours(25);

export const alerting = defineContextFeature<NodeContext>({
  name: "alerting",
  migrations: [init, factLog],
  errors: fail.table,
  events: alertingMeanings,
  routes: alertingRoutes,
  jobs(ctx) {
    const watch: Watch = { since: ctx.clock.now(), missing: new Map() };
    const pause = () => ctx.host.clock.sleep(0, ctx.signal);
    return [
      { name: "alerting.evaluate", everyMs: seconds(10), run: () => evaluate(ctx, watch, pause) },
      {
        name: "alerting.prune",
        everyMs: hours(1),
        run() {
          pruneEvents(ctx.db, ctx.clock.now() - KEPT_MS);
          pruneTurns(ctx.db, ctx.clock.now() - TURNS_KEPT_MS);
        },
      },
    ];
  },
  subscribe: (ctx) => void ctx.bus.onEmit((name, data) => hearEvent(ctx, name, data)),
  start(ctx) {
    makeStarters(ctx);
    // What happened while nobody looked need not wait for the first round.
    ctx.clock.after(seconds(1), () => {
      if (!ctx.signal.aborted) void ctx.jobs.run("alerting.evaluate");
    });
  },
});
