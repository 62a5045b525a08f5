/** Factor resets: how somebody who lost every second factor gets back in with the help of who manages the team, a day later. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { seconds } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { factorResetMeanings } from "./events.ts";
import { resetLetters } from "./letters.ts";
import { applyResets } from "./logic.ts";
import init from "./migrations/0001_factor_resets.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindFactorResetRoutes } from "./routes.ts";
import { countResets, deleteAllResets, deleteResetsOf } from "./store.ts";

export const factorResetsFeature = defineFeature({
  name: "factor-resets",
  migrations: [init],
  errors: fail.table,
  events: factorResetMeanings,
});

export function createFactorResets(needs: Needs): Part {
  needs.lists.letters.add(resetLetters(needs));
  needs.lists.admissions.add({
    words: ["reset of second factors", "resets of second factors"],
    asked: null,
    count: countResets,
    end: deleteAllResets,
  });
  needs.lists.ways.add(deleteResetsOf);
  return {
    feature: factorResetsFeature,
    routes: [bindFactorResetRoutes(needs)],
    jobs: [{ name: "factor-resets.apply", everyMs: seconds(30), run: (signal) => applyResets(needs, signal) }],
  };
}
