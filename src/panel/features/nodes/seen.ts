import { seconds } from "../../../lib/duration.ts";
import { systemRandom } from "../../../lib/random.ts";
import { heartbeatSeconds, spreadSeconds } from "../../../shared/agent-protocol/index.ts";
import type { PanelContext } from "../../context.ts";
import type { NodeDirectory } from "./directory.ts";
import { updateLastSeen } from "./node-store.ts";
import type { TakeHeartbeat } from "./receive-heartbeat.ts";

const FLUSH_EVERY_MS = seconds(1);
const MAX_AT_ONCE = 500;

/** Remembers when nodes were heard of, and writes it down in batches. */
export function createSeen(
  { system, clock, log }: Pick<PanelContext, "system" | "clock" | "log">,
  directory: NodeDirectory,
) {
  const seen = new Map<string, number>();
  let isFlushing = false;

  async function flush(): Promise<void> {
    if (isFlushing) return;
    isFlushing = true;
    try {
      while (seen.size > 0) {
        const batch = [...seen].slice(0, MAX_AT_ONCE);
        for (const [id] of batch) seen.delete(id);
        await updateLastSeen(system, batch);
      }
    } catch (error) {
      log.error("when nodes were last seen could not be written", { error });
    } finally {
      isFlushing = false;
    }
  }

  const take: TakeHeartbeat = async (_input, { nodeId }) => {
    seen.set(nodeId, clock.now());
    return { commands: [], next_heartbeat_sec: spreadSeconds(heartbeatSeconds(directory.count()), systemRandom) };
  };
  return { take, flush, start: () => clock.every(FLUSH_EVERY_MS, () => void flush()) };
}
