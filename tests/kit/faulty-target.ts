import { EngineFailure } from "../../src/node/backups/engine/failure.ts";
import type { Target } from "../../src/node/backups/engine/target.ts";

/** What may happen to a question: `answer lost` is done all the same, `torn` left half of it where files come in. */
export const FAULTS = ["input/output error", "disk full", "network cut", "answer lost", "slow clock"] as const;
export type Fault = (typeof FAULTS)[number];

const ERRORS: Record<Exclude<Fault, "slow clock">, () => Error> = {
  "input/output error": () => new EngineFailure("target_refused", "The system refused it: EIO"),
  "disk full": () => new EngineFailure("target_full", "The disk is full."),
  "network cut": () => new EngineFailure("target_away", "The connection ended."),
  "answer lost": () => new EngineFailure("target_away", "The connection ended."),
};

/** A target whose questions meet a fault from the `at`-th on, `many` of them; and how many have been asked. */
export function faultyTarget(
  target: Target,
  { fault, at, many, onJump }: { fault: Fault; at: number; many: number; onJump: () => void },
): { target: Target; asked: () => number } {
  let count = 0;
  async function meet<Result>(isWrite: boolean, ask: () => Promise<Result>): Promise<Result> {
    const number = count++;
    if (number < at || number >= at + many) return await ask();
    if (fault === "slow clock") {
      onJump();
      return await ask();
    }
    // Reading and removing need no room.
    if (fault === "disk full" && !isWrite) return await ask();
    if (fault === "answer lost") await ask();
    throw ERRORS[fault]();
  }
  return {
    asked: () => count,
    target: {
      write: (name, bytes) => meet(true, () => target.write(name, bytes)),
      read: (name, range) => meet(false, () => target.read(name, range)),
      list: (folder) => meet(false, () => target.list(folder)),
      remove: (name) => meet(false, () => target.remove(name)),
      warnings: () => target.warnings(),
    },
  };
}
