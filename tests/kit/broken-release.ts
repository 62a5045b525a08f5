import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSigningKey, signSums } from "../../src/build/sign.ts";
import { NODE_BINARY } from "./binary.ts";
import { ROOT } from "./env.ts";

/** How a release can be bad: it ends at once, runs and never answers, answers for a while, or ruins the databases first. */
export type Fault = "crashes" | "hangs" | "dies later" | "spoils";

const SERVE: Record<Fault, string> = {
  crashes: "echo 'cannot start' >&2; exit 1",
  hangs: "exec sleep 3600",
  "dies later": "(sleep 4; kill -9 $$) & exec /opt/works serve",
  spoils: "rm -f /var/lib/orrery-node/*-wal; echo spoiled >/var/lib/orrery-node/main.db; exit 1",
};

/**
 * Writes a release into a folder that is signed with the key of this checkout and says the right things about itself,
 * but does not serve for long (one that dies later needs a program that works as /opt/works). Returns the path of its program file.
 */
export async function writeBrokenRelease(folder: string, version: string, fault: Fault): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const facts = JSON.parse(Bun.spawnSync([NODE_BINARY, "version", "--json"]).stdout.toString());
  const program = join(folder, "orrery-node");
  const script = `#!/bin/sh
case $1:\${2:-} in
  version:--json) cat <<'FACTS'
${JSON.stringify({ ...facts, version })}
FACTS
  ;;
  version:*) echo ${version} ;;
  serve:*) ${SERVE[fault]} ;;
  *) exit 1 ;;
esac
`;
  writeFileSync(program, script, { mode: 0o755 });
  const key = openSigningKey(process.env["ORRERY_SIGNING_KEY"], join(ROOT, ".data"), () => {});
  await signSums(folder, [{ path: program, program: "orrery-node", version, target: facts.target }], key);
  return program;
}
