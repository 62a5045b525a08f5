import { AppError } from "../../../kernel/http/errors.ts";
import { isOlderVersion } from "../../../lib/version-order.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import { NODES_MAX, type RolloutInput } from "../rollouts/index.ts";
import type { Needs } from "./needs.ts";
import { listWilling } from "./store.ts";

/**
 * Looks for a newer release and begins a rollout in every workspace that wants that. One that was sent a version is not sent it
 * again, whatever came of it, and a version that was taken back is left alone: both are for people to decide.
 */
export async function beginUpdates(needs: Needs, signal: AbortSignal): Promise<void> {
  const { system, config, releases, log, isCurrent } = needs;
  if (releases.hindrance !== null) return;
  const willing = await listWilling(system, config.agent_auto_update);
  if (willing.length === 0) return;
  const version = await releases.newest(signal).catch((error: unknown) => {
    log.warn("the newest release is not known; no node is updated", { error });
    return null;
  });
  if (version === null) return;
  for (const tenantId of willing) {
    if (signal.aborted || !isCurrent()) return;
    try {
      await beginIn(needs, tenantId, version);
    } catch (error) {
      // Such as a plan without rollouts, or too many of them: the settings and the page of rollouts say so.
      if (!(error instanceof AppError)) throw error;
      log.info("nodes were not updated by themselves", { tenant_id: tenantId, version, code: error.code });
    }
  }
}

async function beginIn({ rollouts, live }: Needs, tenantId: string, version: string): Promise<void> {
  const older = listOlder(live.of(tenantId), version);
  if (older.length === 0) return;
  const { isUnderWay, isTakenBack, sent } = await rollouts.readTries(tenantId, version);
  if (isUnderWay || isTakenBack) return;
  const instance_ids = older.filter((id) => !sent.has(id)).slice(0, NODES_MAX);
  if (instance_ids.length > 0) await rollouts.begin(tenantId, inputFor(version, instance_ids));
}

/** The nodes that are heard of now and run something older. */
function listOlder(fleet: TenantFleet, version: string): string[] {
  const isThere = (no: number) => ["online", "degraded"].includes(fleet.verdict(no).status);
  return [...fleet.nodes()].flatMap((node) =>
    isThere(node.no) && isOlderVersion(node.version, version) ? [node.id] : [],
  );
}

/** In the stages of any rollout; nobody has to promote it, and what does harm stops it. */
const inputFor = (version: string, instance_ids: string[]): RolloutInput => ({
  ...{ name: `Update to ${version}`, kind: "os_version", target_version: version },
  ...{ auto_promote: true, filter: { instance_ids } },
});
