/** Operations: long work with a plan, steps, a log and an end, watched over a resumable event stream. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { operationMeanings } from "./events.ts";
import init from "./migrations/0001_operations.sql" with { type: "text" };
import actor from "./migrations/0002_actor.sql" with { type: "text" };
import { operationRoutes } from "./routes.ts";
import { deleteFinishedBefore } from "./store.ts";

export { type Asker, type Operation, type OperationError, PANEL, type PlannedStep } from "./contract.ts";
export { createOperations, type OperationHandle, type Operations, type Progress } from "./logic.ts";

export const operations = defineContextFeature<NodeContext>({
  name: "operations",
  migrations: [init, actor],
  errors: fail.table,
  events: operationMeanings,
  routes: operationRoutes,
  jobs: ({ db, clock, operations: all }) => [
    { name: "operations.abandoned", everyMs: minutes(10), run: () => all.failAbandoned() },
    { name: "operations.forget", everyMs: hours(1), run: () => deleteFinishedBefore(db, clock.now() - days(7)) },
  ],
});
