import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSigningKey, signSums } from "../../src/build/sign.ts";
import { NODE_BINARY } from "./binary.ts";
import { ROOT } from "./env.ts";

/** How a release can be bad: it ends at once, or it runs and never answers. */
export type Fault = "crashes" | "hangs";

/**
 * Writes a release into a folder that is signed with the key of this checkout and says the right things about itself,
 * but does not serve. Returns the path of its program file.
 */
export async function writeBrokenRelease(folder: string, version: string, fault: Fault): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const facts = JSON.parse(Bun.spawnSync([NODE_BINARY, "version", "--json"]).stdout.toString());
  const program = join(folder, "orrery-node");
  const serve = fault === "crashes" ? "echo 'cannot start' >&2; exit 1" : "exec sleep 3600";
  const script = `#!/bin/sh
case $1:\${2:-} in
  version:--json) cat <<'FACTS'
${JSON.stringify({ ...facts, version })}
FACTS
  ;;
  version:*) echo ${version} ;;
  serve:*) ${serve} ;;
  *) exit 1 ;;
esac
`;
  writeFileSync(program, script, { mode: 0o755 });
  const key = openSigningKey(process.env["ORRERY_SIGNING_KEY"], join(ROOT, ".data"), () => {});
  await signSums(folder, [program], key);
  return program;
}
