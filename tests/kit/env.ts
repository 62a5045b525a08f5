import { describe, test } from "bun:test";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");

/** What `tests/setup.sh` may have put on this machine. */
export type Capability =
  | "curl"
  | "openssl"
  | "shellcheck"
  | "wrk"
  | "git"
  | "sftp"
  | "litmus"
  | "cadaver"
  | "rclone"
  | "s3_programs"
  | "davfs"
  | "strace"
  | "chromium"
  | "docker"
  | "registry"
  | "images"
  | "systemd_image"
  | "asciinema"
  | "postfix"
  | "postgres"
  | "databases"
  | "btrfs";

/** Names of the images in the local registry. */
export type TestImage = "base" | "web" | "crash" | "oom" | "sick" | "layers";

/** Facts that `tests/setup.sh` wrote down. */
export interface TestEnv {
  /** host:port of the registry, plain http on loopback. */
  registry: string;
  /** Path of the browser. */
  chromium: string;
  systemd_image: string;
  /** References with tag and digest. */
  images: Record<TestImage, string>;
}

const read = (name: string) => {
  const file = join(ROOT, ".test-env", name);
  if (!existsSync(file)) throw new Error(`${file} is missing: run tests/setup.sh first (npm test does)`);
  return JSON.parse(readFileSync(file, "utf8"));
};

/** The facts; throws with the fix when the set-up has not run. */
export function testEnv(): TestEnv {
  return read("env.json");
}

/** Why a capability is missing, or null when it is there. */
export function whyMissing(capability: Capability): string | null {
  const known: Record<string, { ok: boolean; reason: string }> = read("capabilities.json");
  const entry = known[capability];
  if (!entry) return "tests/setup.sh does not know it";
  return entry.ok ? null : entry.reason;
}

/** A `describe` that is skipped, loudly, where the machine lacks something; with CI=true the run then fails. */
export function suite(name: string, needs: readonly Capability[], body: () => void): void {
  const missing = needs.flatMap((capability) => {
    const reason = whyMissing(capability);
    return reason === null ? [] : [`${capability} (${reason})`];
  });
  if (missing.length > 0) process.stderr.write(`\nSKIPPED ${name}: this machine lacks ${missing.join(", ")}\n\n`);
  describe.skipIf(missing.length > 0)(name, body);
}

/** A test that mounts a folder by FUSE; there is none of the name where the kernel, or the container around us, has no such thing. */
export function mountingTest(name: string, body: () => Promise<void>): void {
  try {
    accessSync("/dev/fuse", constants.R_OK | constants.W_OK);
  } catch {
    process.stderr.write(`\nLEFT OUT ${name}: /dev/fuse cannot be opened\n\n`);
    return;
  }
  test(name, body);
}
