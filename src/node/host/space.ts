import { statfs } from "node:fs/promises";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { withPatience } from "../../lib/patience.ts";

/** How much room there is at a mount point, in bytes; `free` is what ordinary users can still write. */
export interface Space {
  total: number;
  used: number;
  free: number;
}

/** Asks for free space without ever waiting for a dead mount. */
export interface SpaceReader {
  /** Null when the place cannot be asked, does not answer in time, or has not answered the time before. */
  read(path: string): Promise<Space | null>;
}

/** How one place is asked; may never come back. */
export type AskSpace = (path: string) => Promise<Space>;

const PATIENCE_MS = seconds(2);

const askKernel: AskSpace = async (path) => {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  return { total: blocks * bsize, used: (blocks - bfree) * bsize, free: bavail * bsize };
};

/** The same question asked by a process of its own, which may hang in our place. */
const askInChild: AskSpace = async (path) => {
  const child = Bun.spawn(["stat", "--file-system", "--format=%S %b %f %a", path], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [size = 0, blocks = 0, free = 0, available = 0] = (await child.stdout.text()).trim().split(" ").map(Number);
  if ((await child.exited) !== 0 || !Number.isFinite(available)) throw new Error(`stat could not ask ${path}`);
  return { total: blocks * size, used: (blocks - free) * size, free: available * size };
};

/**
 * A place that hangs is not asked again until it has answered: each question would hold a thread of the pool that all file
 * access goes through. While one hangs, the others are asked by processes of their own.
 */
export function createSpaceReader(
  clock: Pick<Clock, "sleep">,
  ask: AskSpace = askKernel,
  askApart: AskSpace = askInChild,
): SpaceReader {
  const open = new Set<string>();
  const stuck = new Set<string>();

  return {
    async read(path) {
      if (open.has(path)) return null;
      open.add(path);
      const answer = (stuck.size === 0 ? ask : askApart)(path).finally(() => {
        open.delete(path);
        stuck.delete(path);
      });
      // Who gave up waiting hears no more of it.
      answer.catch(() => {});
      try {
        return await withPatience(clock, PATIENCE_MS, answer);
      } catch {
        if (open.has(path)) stuck.add(path);
        return null;
      }
    },
  };
}
