/** Disks: the physical disks of this server, what lies on them, and how they are. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { diskMeanings } from "./events.ts";
import init from "./migrations/0001_disks.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindDiskRoutes } from "./routes.ts";
import { checkSpace } from "./space-warnings.ts";
import { createDiskWatch } from "./watch.ts";
import { watchDisks } from "./watched.ts";

export const disksFeature = defineFeature({
  name: "disks",
  migrations: [init],
  errors: fail.table,
  events: diskMeanings,
});

/** The disks of a node, watched once it runs. */
export function createDisks(needs: Needs): Part {
  const watch = createDiskWatch(needs);
  needs.lists.watched.add(watchDisks(needs));
  return {
    feature: disksFeature,
    routes: [bindDiskRoutes({ ...needs, watch })],
    jobs: [
      { name: "disks.health", everyMs: hours(1), run: (signal) => watch.poll(signal) },
      { name: "disks.space", everyMs: minutes(1), run: () => checkSpace(needs) },
    ],
    start: () => void watch.poll(needs.signal),
  };
}
