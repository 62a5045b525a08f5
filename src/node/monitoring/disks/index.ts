/** Disks: the physical disks of this server, what lies on them, and how they are. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { diskMeanings } from "./events.ts";
import init from "./migrations/0001_disks.sql" with { type: "text" };
import { diskRoutes } from "./routes.ts";
import { checkSpace } from "./space-warnings.ts";

export { createDiskWatch, type DiskWatch } from "./watch.ts";

export const disks = defineContextFeature<NodeContext>({
  name: "disks",
  migrations: [init],
  errors: fail.table,
  events: diskMeanings,
  routes: diskRoutes,
  jobs: (ctx) => [
    { name: "disks.health", everyMs: hours(1), run: (signal) => ctx.disks.poll(signal) },
    { name: "disks.space", everyMs: minutes(1), run: () => checkSpace(ctx) },
  ],
  start: (ctx) => void ctx.disks.poll(ctx.signal),
});
