import type { NodeContext } from "../../context.ts";
import type { SystemOverview } from "./contract.ts";
import { nodeName } from "./facts.ts";

/** Where the counts of the overview come from; each may fail on its own. */
export interface OverviewSources {
  apps(): Promise<SystemOverview["apps"]>;
  containers(): Promise<SystemOverview["containers"]>;
}

/** The answer of `read`, or `empty` when it fails: a broken part must not hide the others. */
async function bestEffort<T>(log: NodeContext["log"], block: string, read: () => Promise<T>, empty: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    log.warn("overview block unavailable", { block, error });
    return empty;
  }
}

/** The dashboard's first glance. Blocks whose feature this node does not have answer 0 and null. */
export async function readOverview(
  ctx: Pick<NodeContext, "settings" | "host" | "version" | "log">,
  sources: OverviewSources,
): Promise<SystemOverview> {
  const { os, kernel, architecture, cpu } = ctx.host.facts();
  const [apps, containers] = await Promise.all([
    bestEffort(ctx.log, "apps", sources.apps, { installed: 0, running: 0 }),
    bestEffort(ctx.log, "containers", sources.containers, { running: 0, total: 0 }),
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
    alerts: { open: 0, critical: 0 },
    security: { score: 0, max: 0, last_scan_at: null },
  };
}
