import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * In memory where there is such a place: a unit test has nothing to learn from the disk's speed. A whole run has a folder of its own there.
 */
export const SCRATCH = process.env["TEST_SCRATCH"] ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** A fresh folder for one unit test; its maker removes it, or else the run that it is part of (`one-scratch.ts`). */
export function makeScratch(stem: string): string {
  return mkdtempSync(join(process.env["TEST_HAND_SCRATCH"] ?? SCRATCH, `orrery-${stem}-`));
}
