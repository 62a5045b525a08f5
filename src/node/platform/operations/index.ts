/** Operations: long work with a plan, steps, a log and an end, watched over a resumable event stream. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { operationMeanings } from "./events.ts";
import { createOperationBook, type OperationBook } from "./logic.ts";
import init from "./migrations/0001_operations.sql" with { type: "text" };
import actor from "./migrations/0002_actor.sql" with { type: "text" };
import purpose from "./migrations/0003_purpose.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindOperationRoutes } from "./routes.ts";
import { deleteFinishedBefore } from "./store.ts";

export { lastingAsker } from "./asker.ts";
export { type Asker, PANEL } from "./contract.ts";
export { failStopped, type OperationHandle } from "./logic.ts";

export const operationsFeature = defineFeature({
  name: "operations",
  migrations: [init, actor, purpose],
  errors: fail.table,
  events: operationMeanings,
});

/** Every long-running piece of work of this node. */
export interface Operations extends Part, OperationBook {}

export function createOperations(needs: Needs): Operations {
  const { db, clock } = needs;
  const book = createOperationBook(needs);
  return {
    ...book,
    feature: operationsFeature,
    routes: [bindOperationRoutes(needs, book)],
    jobs: [
      { name: "operations.abandoned", everyMs: minutes(10), run: () => book.failAbandoned() },
      { name: "operations.forget", everyMs: hours(1), run: () => deleteFinishedBefore(db, clock.now() - days(7)) },
    ],
  };
}
