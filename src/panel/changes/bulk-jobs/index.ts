/** Bulk jobs: one thing done to many nodes, followed until each of them has said what became of it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, seconds } from "../../../lib/duration.ts";
import { createRounds } from "./carry-on.ts";
import { fail } from "./contract.ts";
import { bulkMeanings } from "./events.ts";
import { forgetOld } from "./forget-store.ts";
import init from "./migrations/0001_bulk_jobs.sql" with { type: "text" };
import shortTexts from "./migrations/0002_short_texts.sql" with { type: "text" };
import dueJobs from "./migrations/0003_due_jobs.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindBulkRoutes } from "./routes.ts";
import { searchJobs } from "./search.ts";

export const bulkJobsFeature = defineFeature({
  name: "bulk-jobs",
  migrations: [init, shortTexts, dueJobs],
  errors: fail.table,
  events: bulkMeanings,
});

export function createBulkJobs(needs: Needs): Part {
  needs.lists.searches.add(searchJobs);
  return {
    feature: bulkJobsFeature,
    routes: [bindBulkRoutes(needs)],
    jobs: [
      { name: "bulk.carry_on", everyMs: seconds(1), run: createRounds(needs) },
      { name: "bulk.forget", everyMs: hours(1), run: (signal) => forgetOld(needs, signal) },
    ],
  };
}
