import { createCached } from "../../../lib/cached.ts";
import { seconds } from "../../../lib/duration.ts";
import { countApps } from "../../apps/apps/index.ts";
import type { NodeContext } from "../../context.ts";
import { nodeName } from "../../monitoring/system/index.ts";
import { isApprovalEnabled } from "../approvals/index.ts";
import { isClaimRequired } from "../auth/index.ts";
import { countUsers } from "../users/index.ts";
import type { LockInfo } from "./contract.ts";

/** What is the same for everybody; whether passkeys work depends on the address that the browser shows. */
export type SharedLockInfo = Omit<LockInfo, "passkeys_enabled" | "passkeys_reason">;

type Deps = Pick<NodeContext, "db" | "settings" | "host" | "version" | "config" | "clock">;

/** The lock screen's facts as of now. */
function readLockInfo(ctx: Deps): SharedLockInfo {
  const setup_required = countUsers(ctx.db) === 0;
  return {
    hostname: nodeName(ctx),
    online: true,
    uptime_seconds: ctx.host.uptimeSeconds(),
    apps_in_orbit: countApps(ctx.db).running,
    version: ctx.version,
    setup_required,
    claim_required: setup_required && isClaimRequired(ctx.config.data_dir),
    approve_enabled: isApprovalEnabled(ctx),
  };
}

/** Returns what reads the facts, kept for 10 seconds. Before setup they are always fresh: the wizard waits for them. */
export function createLockInfo(ctx: Deps): () => Promise<SharedLockInfo> {
  const cached = createCached(ctx.clock, seconds(10), () => readLockInfo(ctx));
  return async () => {
    const info = await cached.get();
    if (info.setup_required) cached.clear();
    return info;
  };
}
