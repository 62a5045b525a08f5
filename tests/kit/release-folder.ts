import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSigningKey, signSums } from "../../src/build/sign.ts";
import { NODE_BINARY, PANEL_BINARY } from "./binary.ts";
import { writeBrokenRelease } from "./broken-release.ts";
import { ROOT } from "./env.ts";

const BINARIES = { "orrery-node": NODE_BINARY, "orrery-panel": PANEL_BINARY };
type Program = keyof typeof BINARIES;

/** Signs the program in a folder as a release for this kind of machine. */
async function sign(folder: string, version: string, program: Program): Promise<void> {
  const targets = ["linux-x64", "linux-x64-baseline"];
  symlinkSync(`${program}-${targets[0]}`, join(folder, `${program}-${targets[1]}`));
  const key = openSigningKey(process.env["ORRERY_SIGNING_KEY"], join(ROOT, ".data"), () => {});
  const files = targets.map((target) => ({ path: join(folder, `${program}-${target}`), program, version, target }));
  await signSums(folder, files, key);
}

/**
 * Writes a compiled program once more as a release that differs in nothing but its version, and returns that. The version
 * stands in the program as text, and the new one is as long.
 */
export async function writeNewerRelease(base: string, program: Program = "orrery-node"): Promise<string> {
  const version = Bun.spawnSync([BINARIES[program], "version"]).stdout.toString().trim();
  const newer = version.replace(/^(\d+\.\d+\.)\d/, "$19");
  const bytes = readFileSync(BINARIES[program]);
  for (let at = bytes.indexOf(version); at >= 0; at = bytes.indexOf(version, at + 1)) bytes.write(newer, at);
  const folder = join(base, newer);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${program}-linux-x64`), bytes, { mode: 0o755 });
  await sign(folder, newer, program);
  return newer;
}

/** Writes a release of that version that ends as soon as it is started. */
export async function writeCrashingRelease(base: string, version: string): Promise<void> {
  const folder = join(base, version);
  renameSync(await writeBrokenRelease(folder, version, "crashes"), join(folder, "orrery-node-linux-x64"));
  await sign(folder, version, "orrery-node");
}
