import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * In memory where there is such a place: a unit test has nothing to learn from the disk's speed. A whole run has a folder of its own there.
 */
export const SCRATCH = process.env["TEST_SCRATCH"] ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** A fresh folder for one unit test; its maker removes it, or else the run that it is part of (`one-scratch.ts`). */
export function makeScratch(stem: string): string {
  const folder = process.env["TEST_HAND_SCRATCH"] ?? SCRATCH;
  // With `--parallel --no-isolate` the run's own goes after each file.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  return mkdtempSync(join(folder, `orrery-${stem}-`));
}
