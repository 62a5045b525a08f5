/** Alerting: rules over what is measured and what happens, judged as soon as it is known; each episode is told once and once over. */
import { setImmediate } from "node:timers/promises";
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { countOpen, pruneEvents } from "./events/event-store.ts";
import { alertingMeanings } from "./events.ts";
import { pruneTurns } from "./facts/fact-store.ts";
import { hearEvent } from "./facts/facts.ts";
import { evaluate, type Watch } from "./judge/evaluate.ts";
import { pruneIdle } from "./judge/state-store.ts";
import init from "./migrations/0001_alerting.sql" with { type: "text" };
import factLog from "./migrations/0002_fact_log.sql" with { type: "text" };
import unproducedStarters from "./migrations/0003_unproduced_starters.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { bindAlertingRoutes } from "./routes.ts";
import { findRules } from "./rules/rules.ts";
import { makeStarters } from "./rules/starters.ts";
import { createWatchedBook } from "./watched/watched.ts";

export const alertingFeature = defineFeature({
  name: "alerting",
  migrations: [init, factLog, unproducedStarters],
  errors: fail.table,
  events: alertingMeanings,
});

/** The alerts of a node. */
export interface Alerting extends Part {
  /** How many alerts are open, and how many of them are critical. */
  countOpen(): { open: number; critical: number };
}

const EVALUATE = "alerting.evaluate";
const KEPT_MS = days(365);
const TURNS_KEPT_MS = hours(25);

/** The alerts of a node, judged once it runs. */
export function createAlerting(needs: Needs): Alerting {
  const { db, clock, jobs, signal, host, bus, lists } = needs;
  const own: Own = { ...needs, watched: createWatchedBook(lists.watched) };
  const watch: Watch = { since: clock.now(), missing: new Map() };
  lists.finds.add({ source: "alert_rules", least: "viewer", find: async (text) => findRules(own, text) });
  lists.overview.add({ name: "alerts", read: () => countOpen(db) });
  return {
    feature: alertingFeature,
    routes: [bindAlertingRoutes(own)],
    jobs: [
      { name: EVALUATE, everyMs: seconds(5), run: () => evaluate(own, watch, () => host.clock.sleep(0, signal)) },
      {
        name: "alerting.prune",
        everyMs: hours(1),
        async run(stop) {
          // As many as there are: what comes in an hour has no number, what goes must not have one either.
          while (!stop.aborted && pruneEvents(db, clock.now() - KEPT_MS) > 0) await setImmediate();
          while (!stop.aborted && pruneTurns(db, clock.now() - TURNS_KEPT_MS) > 0) await setImmediate();
          pruneIdle(db, clock.now() - KEPT_MS);
        },
      },
    ],
    subscribe: () => void bus.onEmit((name, data) => hearEvent(own, name, data)),
    start() {
      makeStarters(own);
      // What happened while nobody looked need not wait for the first round.
      clock.after(seconds(1), () => {
        if (!signal.aborted) void jobs.run(EVALUATE);
      });
    },
    countOpen: () => countOpen(db),
  };
}
