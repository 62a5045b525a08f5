import { Elysia, t } from "elysia";
import { createCached } from "../../../lib/cached.ts";
import { seconds } from "../../../lib/duration.ts";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { CurrentMetrics, FilesystemEntry, LiveMetrics, SystemInfo, SystemOverview } from "./contract.ts";
import { readCurrent, readFilesystemEntries, readInfo } from "./facts.ts";
import { readOverview } from "./overview.ts";

export const systemRoutes: NodeRoutes = (ctx) => {
  const overview = createCached(ctx.clock, seconds(5), () => readOverview(ctx));
  return new Elysia({ prefix: "/api/system" })
    .use(ctx.guard)
    .get("/info", () => readInfo(ctx), { access: user("monitoring"), response: SystemInfo })
    .get("/overview", () => overview.get(), { access: user("monitoring"), response: SystemOverview })
    .get("/disks", () => readFilesystemEntries(ctx), { access: user("monitoring"), response: t.Array(FilesystemEntry) })
    .get("/metrics/current", () => readCurrent(ctx), { access: user("monitoring"), response: CurrentMetrics })
    .get("/metrics/live", () => ctx.live.sample(), { access: user("monitoring"), response: LiveMetrics });
};
