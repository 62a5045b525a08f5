import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./process.ts";

/**
 * Path of the Bun runtime for another kind of machine, from the npm package that Bun publishes for it. Kept in
 * dist/.runtimes. Bun would fetch it from elsewhere by itself; the registry is checked by its integrity hash.
 */
export async function fetchRuntime(packageName: string, version: string, root: string): Promise<string> {
  const cache = join(root, "dist/.runtimes");
  const kept = join(cache, `${packageName.replace("@oven/", "")}-${version}`);
  if (existsSync(kept)) return kept;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "unpack-"));
  const packed = await runProgram(
    ["npm", "pack", "--silent", `${packageName}@${version}`, "--pack-destination", work],
    root,
  );
  const archive = readdirSync(work).find((name) => name.endsWith(".tgz"));
  if (packed.code !== 0 || !archive) throw new Error(`npm pack ${packageName}@${version} failed: ${packed.text}`);
  const unpacked = await runProgram(["tar", "-xzf", join(work, archive), "-C", work], root);
  if (unpacked.code !== 0) throw new Error(`tar failed: ${unpacked.text}`);
  renameSync(join(work, "package/bin/bun"), kept);
  chmodSync(kept, 0o755);
  rmSync(work, { recursive: true });
  return kept;
}
