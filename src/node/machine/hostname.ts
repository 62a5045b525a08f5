import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { tryProgram } from "../../kernel/host/run-program.ts";
import { seconds } from "../../lib/duration.ts";
import { readText } from "./proc-file.ts";

const UNIT = "orrery-node.service";

/** True when the cgroup lines of a process show that systemd runs it as our unit. */
export function isInstalledService(cgroupText: string): boolean {
  return cgroupText.split("\n").some((line) => line.endsWith(`/${UNIT}`));
}

/** The host's name as the kernel has it. */
export function readHostname(root: string): string {
  return readText(join(root, "proc/sys/kernel/hostname")) || hostname();
}

/**
 * Gives the host a new name through systemd. Only a node that was installed as a service of this very host does so, never
 * one that somebody tries out or that lives in a container. True when we then see the new name ourselves; false when we may
 * not, systemd refuses, or the unit shows us a name of its own (`ProtectHostname`), which may hide a rename that worked.
 */
export async function writeHostname(root: string, name: string): Promise<boolean> {
  const isOurs = isInstalledService(readText("/proc/self/cgroup") ?? "");
  if (root !== "/" || !isOurs || process.getuid?.() !== 0 || !existsSync("/run/systemd/system")) return false;
  const { code } = await tryProgram(["hostnamectl", "set-hostname", name], { timeoutMs: seconds(10) });
  return code === 0 && readHostname(root) === name;
}
