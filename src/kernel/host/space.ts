import { statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { withPatience } from "../../lib/patience.ts";
import { runProgram } from "./run-program.ts";

/** How much room there is at a mount point, in bytes; `free` is what ordinary users can still write. */
export interface Space {
  total: number;
  used: number;
  free: number;
  /** Places for files; total 0 where they are not counted (btrfs, vfat). */
  files: { used: number; total: number };
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
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path);
  return {
    total: blocks * bsize,
    used: (blocks - bfree) * bsize,
    free: bavail * bsize,
    files: { used: files - ffree, total: files },
  };
};

/** The same question asked by a process of its own, which may hang in our place. */
const askInChild: AskSpace = async (path) => {
  const { code, stdout } = await runProgram(["stat", "--file-system", "--format=%S %b %f %a %c %d", path]);
  const answer = stdout.trim().split(" ").map(Number);
  const [size = 0, blocks = 0, free = 0, available = 0, files = 0, filesFree = Number.NaN] = answer;
  if (code !== 0 || !Number.isFinite(filesFree)) throw new Error(`stat could not ask ${path}`);
  return {
    total: blocks * size,
    used: (blocks - free) * size,
    free: available * size,
    files: { used: files - filesFree, total: files },
  };
};

/** Bytes that ordinary users can still write at `path`. Waits for a dead mount: for commands, beside which nothing else runs. */
export function freeBytesNow(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/**
 * A place that hangs is not asked again until it has answered: each question would hold a thread of the pool that all file
 * access goes through. While one hangs, the others are asked by processes of their own.
 */
export function createSpaceReader(
  clock: Pick<Clock, "sleep">,
  ask: AskSpace = askKernel,
  askApart: AskSpace = askInChild,
): SpaceReader {
  const open = new Map<string, Promise<Space>>();
  const stuck = new Set<string>();

  function begin(path: string): Promise<Space> {
    const answer = (stuck.size === 0 ? ask : askApart)(path).finally(() => {
      open.delete(path);
      stuck.delete(path);
    });
    // Who gave up waiting hears no more of it.
    answer.catch(() => {});
    open.set(path, answer);
    return answer;
  }

  return {
    async read(path) {
      if (stuck.has(path)) return null;
      try {
        return await withPatience(clock, PATIENCE_MS, open.get(path) ?? begin(path));
      } catch {
        if (open.has(path)) stuck.add(path);
        return null;
      }
    },
  };
}
