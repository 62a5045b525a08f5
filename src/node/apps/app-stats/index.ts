/** App stats: what the containers of an app use now, by the kernel's own accounting. */
import { totalmem } from "node:os";
import { Elysia } from "elysia";
import { defineContextFeature } from "../../../kernel/feature.ts";
import { user } from "../../access.ts";
import type { NodeContext } from "../../context.ts";
import { listServices, volumePrefix } from "../apps/index.ts";
import { AppStats, AppStatsParams } from "./contract.ts";
import { createStatsReader } from "./sample.ts";

export { type ContainerMeter, openContainer, type Usage } from "./cgroup.ts";
export { createPidFinder, type PidFinder, type Processes } from "./pids.ts";

/** Bytes of an app's volumes and of what its containers wrote outside them; 0 until first measured. */
export function appDiskBytes(ctx: Pick<NodeContext, "apps" | "db">, appId: string): number {
  const { volumes, containers } = ctx.apps.disk.latest();
  const own = [...volumes].filter(([name]) => name.startsWith(volumePrefix(appId)));
  const layers = listServices(ctx.db, appId).map(({ container_id }) => containers.get(container_id ?? "") ?? 0);
  return [...own.map(([, bytes]) => bytes), ...layers].reduce((sum, bytes) => sum + bytes, 0);
}

export const appStats = defineContextFeature<NodeContext>({
  name: "app-stats",
  routes: (ctx) => {
    const reader = createStatsReader(ctx, (appId) => appDiskBytes(ctx, appId), totalmem());
    return new Elysia({ prefix: "/api/apps/:id/stats" })
      .use(ctx.guard)
      .get("", ({ params }) => reader.read(params.id), {
        access: user("apps"),
        params: AppStatsParams,
        response: AppStats,
      });
  },
});
