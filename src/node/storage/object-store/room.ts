import { kernelFail } from "../../../kernel/http/errors.ts";
import { seconds } from "../../../lib/duration.ts";
import type { Needs } from "./needs.ts";

/** What objects and others' backups leave free of their disk: a share of it, and no more than that many bytes. */
const KEPT_SHARE = 0.02;
const MOST_KEPT_BYTES = 1024 ** 3;
/** So long a look at the disk counts. */
const LOOK_EVERY_MS = seconds(1);

/**
 * Throws `disk_full` while there is no more room than the node needs for itself: its own databases lie on the same disk, and
 * whoever may store something must not keep it from writing. A disk that does not answer is no reason.
 */
export function createRoomCheck({
  host,
  clock,
  config,
}: Pick<Needs, "host" | "clock" | "config">): () => Promise<void> {
  let look: { at: number; hasRoom: Promise<boolean> } | null = null;

  async function hasRoom(): Promise<boolean> {
    const space = await host.ownSpace(config.data_dir);
    return space === null || space.free >= Math.min(MOST_KEPT_BYTES, space.total * KEPT_SHARE);
  }

  return async () => {
    const now = clock.monotonic();
    if (look === null || now - look.at >= LOOK_EVERY_MS) look = { at: now, hasRoom: hasRoom() };
    if (!(await look.hasRoom)) throw kernelFail("disk_full");
  };
}
