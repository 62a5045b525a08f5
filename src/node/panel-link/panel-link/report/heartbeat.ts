import { toIso } from "../../../../lib/clock.ts";
import { sha256Hex } from "../../../../lib/digest.ts";
import { minutes } from "../../../../lib/duration.ts";
import { bundleId, type HeartbeatInput } from "../../../../shared/agent-protocol/index.ts";
import { hardwareFingerprint } from "../fingerprint.ts";
import type { Needs } from "../needs.ts";
import { reportApps, urgentPart } from "./app-reports.ts";
import { createClusterWatch } from "./cluster.ts";
import { type NodeInventory, readInventory } from "./inventory.ts";
import { reportMetrics } from "./metrics.ts";

type Deps = Pick<
  Needs,
  | "config"
  | "host"
  | "clock"
  | "series"
  | "apps"
  | "settings"
  | "version"
  | "identity"
  | "alerts"
  | "listening"
  | "runtime"
  | "answerCounts"
>;

/** Figures of apps are told this often; what changes about an app is told with the next heartbeat. */
const APPS_MS = minutes(1);
const INVENTORY_MS = minutes(5);

/** What a heartbeat says besides results; remembers what the panel has heard already. */
export interface Reporter {
  compose(link: { ca_bundle: string; license_id: string | null }): Promise<HeartbeatInput>;
  /** The panel has the last composed one. */
  heard(): void;
  /** The next one tells everything: the panel may not have heard the last ones. */
  forget(): void;
}

/** A reporter of which the panel has heard nothing yet. */
export function createReporter(deps: Deps): Reporter {
  const { clock, host } = deps;
  const cluster = createClusterWatch(deps);
  const heard = { inventory: "", apps: "", appsAt: Number.NEGATIVE_INFINITY };
  let last = { ...heard };
  let counted = deps.answerCounts.read();
  let told = counted;
  let inventory: { value: NodeInventory; hash: string; at: number } | null = null;
  let fingerprint: string | null = null;

  async function currentInventory() {
    const now = clock.monotonic();
    const found = cluster.latest();
    const isFresh = inventory !== null && now - inventory.at < INVENTORY_MS && inventory.value.cluster === found;
    if (inventory && isFresh) return inventory;
    const value = await readInventory(deps, found);
    inventory = { value, hash: sha256Hex(JSON.stringify(value)), at: now };
    return inventory;
  }

  return {
    async compose({ ca_bundle, license_id }) {
      const { value, hash } = await currentInventory();
      const apps = reportApps(deps);
      const urgent = urgentPart(apps);
      const now = clock.monotonic();
      const hasApps = urgent !== heard.apps || now - heard.appsAt >= APPS_MS;
      last = { inventory: hash, ...(hasApps ? { apps: urgent, appsAt: now } : { ...heard, inventory: hash }) };
      told = deps.answerCounts.read();
      const since = { answers: told.answers - counted.answers, failures: told.failures - counted.failures };
      fingerprint ??= hardwareFingerprint(deps);
      return {
        status: deps.alerts.countOpen().critical > 0 ? "critical" : "ok",
        version: deps.version,
        hostname: deps.identity.name(),
        sent_at: toIso(clock.now()),
        uptime_seconds: host.uptimeSeconds(),
        metrics: reportMetrics(deps, since),
        ca_id: bundleId(ca_bundle),
        hardware_fingerprint: fingerprint,
        ...(license_id === null ? {} : { license_id }),
        ...(hash === heard.inventory ? {} : { inventory: { ...value } }),
        ...(hasApps ? { apps } : {}),
      };
    },
    heard() {
      Object.assign(heard, last);
      counted = told;
    },
    forget() {
      Object.assign(heard, { inventory: "", apps: "", appsAt: Number.NEGATIVE_INFINITY });
      inventory = null;
    },
  };
}
