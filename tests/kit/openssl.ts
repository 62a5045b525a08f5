import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs openssl, the judge that shares no code with ours; throws with its words when it says no. */
export function openSsl(args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["openssl", ...args]);
  if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr}${stdout}`);
  return `${stdout}${stderr}`;
}

/** Puts texts into a folder of their own for as long as `use` runs. */
export function withFiles<T>(files: Record<string, string>, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "orrery-openssl-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
