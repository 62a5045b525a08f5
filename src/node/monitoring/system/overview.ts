import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { seconds } from "../../../lib/duration.ts";
import { withPatience } from "../../../lib/patience.ts";
import { SystemOverview } from "./contract.ts";
import type { Needs } from "./needs.ts";

type Deps = Pick<Needs, "identity" | "host" | "version" | "log" | "lists">;

const PATIENCE_MS = seconds(2);

/**
 * What the block of that name reads; `empty` when no feature has it, and when it fails, takes too long or does not fit: a broken
 * part must not hide the others.
 */
async function readBlock<Schema extends TSchema>(
  { host, log, lists }: Deps,
  name: string,
  schema: Schema,
  empty: Static<Schema>,
): Promise<Static<Schema>> {
  const block = lists.overview.all().find((one) => one.name === name);
  if (!block) return empty;
  try {
    const found = await withPatience(host.clock, PATIENCE_MS, (async () => block.read())());
    if (Value.Check(schema, found)) return found;
    throw new Error("it does not have the fields that it should");
  } catch (error) {
    log.warn("overview block unavailable", { block: name, error });
    return empty;
  }
}

/** The dashboard's first glance. Blocks whose feature this node does not have answer 0 and null. */
export async function readOverview(deps: Deps): Promise<SystemOverview> {
  const { host, identity, version } = deps;
  const { os, kernel, architecture, cpu } = host.facts();
  const block = SystemOverview.properties;
  const none = { status: "none" as const, last_success_at: null, last_verified_at: null, last_size_bytes: 0 };
  const [apps, containers, alerts, backup] = await Promise.all([
    readBlock(deps, "apps", block.apps, { installed: 0, running: 0 }),
    readBlock(deps, "containers", block.containers, { running: 0, total: 0 }),
    readBlock(deps, "alerts", block.alerts, { open: 0, critical: 0 }),
    readBlock(deps, "backup", block.backup, none),
  ]);
  return {
    hostname: identity.name(),
    os,
    kernel,
    arch: architecture,
    cpu_model: cpu.model,
    cpu_cores: cpu.cores,
    cpu_threads: cpu.threads,
    ram_total_bytes: host.counters().memory.total,
    uptime_seconds: host.uptimeSeconds(),
    version,
    apps,
    containers,
    proxy_routes: 0,
    backup,
    alerts,
    security: { score: 0, max: 0, last_scan_at: null },
  };
}
