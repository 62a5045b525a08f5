// Where a run of the tests leaves what goes with it.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Removes what runs left that were killed: it would fill the memory of this machine, gigabyte by gigabyte. */
function sweep() {
  for (const name of readdirSync(base)) {
    const pid = /^orrery-run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(base, name), { recursive: true, force: true });
  }
}

/** A folder for one run, in memory where there is such a place. Whoever makes it removes it, and otherwise the next run does. */
export function makeRunScratch() {
  sweep();
  const folder = mkdtempSync(join(base, `orrery-run-${process.pid}-`));
  // The database of the tests runs as somebody else, who has to get in.
  chmodSync(folder, 0o711);
  return folder;
}
