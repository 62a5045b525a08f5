import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes the source maps of the build before from a folder, and nothing else. Their names have the digest of what they are of, so a
 * new build would leave most of them beside its own.
 */
export function removeSourceMaps(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (path.endsWith(".js.map")) rmSync(join(folder, path));
}
