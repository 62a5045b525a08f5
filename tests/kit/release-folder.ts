import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSigningKey, signSums } from "../../src/build/sign.ts";
import { NODE_BINARY } from "./binary.ts";
import { writeBrokenRelease } from "./broken-release.ts";
import { ROOT } from "./env.ts";

const [PROGRAM, BASELINE] = ["orrery-node-linux-x64", "orrery-node-linux-x64-baseline"];

/** Signs the program in a folder as a release for this kind of machine. */
async function sign(folder: string, version: string): Promise<void> {
  symlinkSync(PROGRAM, join(folder, BASELINE));
  const key = openSigningKey(process.env["ORRERY_SIGNING_KEY"], join(ROOT, ".data"), () => {});
  await signSums(
    folder,
    [PROGRAM, BASELINE].map((name) => ({
      path: join(folder, name),
      program: "orrery-node",
      version,
      target: name.slice("orrery-node-".length),
    })),
    key,
  );
}

/**
 * Writes the compiled node once more as a release that differs in nothing but its version, and returns that. The version
 * stands in the program as text, and the new one is as long.
 */
export async function writeNewerRelease(base: string): Promise<string> {
  const version = Bun.spawnSync([NODE_BINARY, "version"]).stdout.toString().trim();
  const newer = version.replace(/^(\d+\.\d+\.)\d/, "$19");
  const bytes = readFileSync(NODE_BINARY);
  for (let at = bytes.indexOf(version); at >= 0; at = bytes.indexOf(version, at + 1)) bytes.write(newer, at);
  const folder = join(base, newer);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, PROGRAM), bytes, { mode: 0o755 });
  await sign(folder, newer);
  return newer;
}

/** Writes a release of that version that ends as soon as it is started. */
export async function writeCrashingRelease(base: string, version: string): Promise<void> {
  const folder = join(base, version);
  renameSync(await writeBrokenRelease(folder, version, "crashes"), join(folder, PROGRAM));
  await sign(folder, version);
}
