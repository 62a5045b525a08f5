import { existsSync } from "node:fs";
import { join } from "node:path";

/** Folder of what a program carries along (`embed/<program>`): inside the compiled file, or in the checkout. */
export function embedRoot(program: "node" | "panel" | "admin"): string {
  const bundled = join(import.meta.dir, program);
  return existsSync(bundled) ? bundled : join(import.meta.dir, "../../embed", program);
}
