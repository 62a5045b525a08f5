import { Elysia, t } from "elysia";
import { createCached } from "../../../lib/cached.ts";
import { seconds } from "../../../lib/duration.ts";
import { admin, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { DiskDetail, DiskHealth, DiskHealthEntry, DiskParams, PhysicalDisk } from "./contract.ts";
import { readDisk, readOverview } from "./overview.ts";
import { findDisks } from "./usage/usage.ts";

export const diskRoutes: NodeRoutes = (ctx) => {
  const { book, run, poll, readNow, onPolled } = ctx.disks;
  const overview = createCached(ctx.clock, seconds(60), () => {
    // A disk that was plugged in since the last round does not wait for the next one.
    if (findDisks(ctx).some(book.isDue)) void poll(ctx.signal);
    return readOverview(ctx, book, run);
  });
  onPolled(overview.clear);
  return new Elysia({ prefix: "/api" })
    .use(ctx.guard)
    .get("/disks/overview", () => overview.get(), { access: user("monitoring"), response: t.Array(PhysicalDisk) })
    .get("/disks/:name", async ({ params }) => readDisk(ctx, book, await overview.get(), params.name), {
      access: user("monitoring"),
      params: DiskParams,
      response: DiskDetail,
    })
    .post("/disks/:name/read", ({ params }) => readNow(params.name), {
      access: admin("monitoring"),
      params: DiskParams,
      response: DiskHealthEntry,
    })
    .get("/system/disk/health", () => book.describe(findDisks(ctx)), {
      access: user("monitoring"),
      response: DiskHealth,
    });
};
