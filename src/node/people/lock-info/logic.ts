import { createCached } from "../../../lib/cached.ts";
import { seconds } from "../../../lib/duration.ts";
import { isRecord } from "../../../lib/json.ts";
import type { LockInfo } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** What is the same for everybody; whether passkeys work depends on the address that the browser shows. */
export type SharedLockInfo = Omit<LockInfo, "passkeys_enabled" | "passkeys_reason">;

/** How many apps run, as the overview's block about apps says. */
async function countRunningApps({ lists }: Needs): Promise<number> {
  const block = await lists.overview
    .all()
    .find(({ name }) => name === "apps")
    ?.read();
  return isRecord(block) && typeof block["running"] === "number" ? block["running"] : 0;
}

/** The lock screen's facts as of now. */
async function readLockInfo(needs: Needs): Promise<SharedLockInfo> {
  const apps_in_orbit = await countRunningApps(needs);
  const setup_required = needs.users.count() === 0;
  return {
    hostname: needs.identity.name(),
    online: true,
    uptime_seconds: needs.host.uptimeSeconds(),
    apps_in_orbit,
    version: needs.version,
    setup_required,
    claim_required: setup_required && needs.auth.isClaimRequired(),
    approve_enabled: needs.approvals.isEnabled(),
  };
}

/** Returns what reads the facts, all but the name kept for 10 seconds. Before setup they are always fresh: the wizard waits for them. */
export function createLockInfoReader(needs: Needs): () => Promise<SharedLockInfo> {
  const cached = createCached(needs.clock, seconds(10), () => readLockInfo(needs));
  return async () => {
    const info = await cached.get();
    if (info.setup_required) cached.clear();
    // Whoever has just given another name sees it.
    return { ...info, hostname: needs.identity.name() };
  };
}
