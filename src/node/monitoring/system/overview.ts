import { seconds } from "../../../lib/duration.ts";
import { withPatience } from "../../../lib/patience.ts";
import { countApps } from "../../apps/apps/index.ts";
import type { NodeContext } from "../../context.ts";
import { nodeName } from "../../platform/identity/index.ts";
import type { SystemOverview } from "./contract.ts";

type Deps = Pick<NodeContext, "settings" | "host" | "version" | "log" | "db" | "runtime" | "openAlerts">;

const PATIENCE_MS = seconds(2);

/** The answer of `read`, or `empty` when it fails or takes too long: a broken part must not hide the others. */
async function bestEffort<T>({ host, log }: Deps, block: string, read: () => T | Promise<T>, empty: T): Promise<T> {
  try {
    return await withPatience(host.clock, PATIENCE_MS, (async () => read())());
  } catch (error) {
    log.warn("overview block unavailable", { block, error });
    return empty;
  }
}

/** All containers of the engine, ours or not; none without an engine. */
async function countContainers({ runtime }: Pick<Deps, "runtime">): Promise<SystemOverview["containers"]> {
  const containers = (await runtime.engine()?.listContainers({})) ?? [];
  return { running: containers.filter(({ State }) => State === "running").length, total: containers.length };
}

/** The dashboard's first glance. Blocks whose feature this node does not have answer 0 and null. */
export async function readOverview(ctx: Deps): Promise<SystemOverview> {
  const { os, kernel, architecture, cpu } = ctx.host.facts();
  const [apps, containers, alerts] = await Promise.all([
    bestEffort(ctx, "apps", () => countApps(ctx.db), { installed: 0, running: 0 }),
    bestEffort(ctx, "containers", () => countContainers(ctx), { running: 0, total: 0 }),
    bestEffort(ctx, "alerts", () => ctx.openAlerts(), { open: 0, critical: 0 }),
  ]);
  return {
    hostname: nodeName(ctx),
    os,
    kernel,
    arch: architecture,
    cpu_model: cpu.model,
    cpu_cores: cpu.cores,
    cpu_threads: cpu.threads,
    ram_total_bytes: ctx.host.counters().memory.total,
    uptime_seconds: ctx.host.uptimeSeconds(),
    version: ctx.version,
    apps,
    containers,
    proxy_routes: 0,
    backup: { status: "none", last_success_at: null, last_verified_at: null, last_size_bytes: 0 },
    alerts,
    security: { score: 0, max: 0, last_scan_at: null },
  };
}
