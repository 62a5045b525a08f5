import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// In memory where there is such a place: a unit test has nothing to learn from the disk's speed.
const BASE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A fresh folder for one unit test; its maker removes it. */
export function makeScratch(stem: string): string {
  return mkdtempSync(join(BASE, `orrery-${stem}-`));
}
