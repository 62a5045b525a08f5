import { hasUnifiedCgroups, readMemory, readProcessorFlags } from "../host/proc.ts";
import { bad, type Finding, ok, type Patient, warn } from "./finding.ts";

const GB = 1_000_000_000;
const MB = 1_000_000;

async function checkDisk({ host, dataDir }: Patient): Promise<Finding> {
  const free = host.freeBytes(dataDir);
  const detail = `${(free / GB).toFixed(1)} GB are free for ${dataDir}`;
  const fix = "Find what is large: du -xh --max-depth=2 / | sort -h | tail; unused images: docker image prune";
  if (free < 0.5 * GB) return bad("disk", "Disk", detail, fix);
  if (free < 5 * GB) return warn("disk", "Disk", detail, fix);
  return ok("disk", "Disk", detail);
}

async function checkMemory({ host }: Patient): Promise<Finding> {
  const { total, available } = readMemory(host.read);
  const detail = `${Math.round(available / MB)} of ${Math.round(total / MB)} MB are available`;
  const fix = "Stop apps that you do not need, give them memory limits, or add memory.";
  if (available < 150 * MB) return bad("memory", "Memory", detail, fix);
  if (total < 900 * MB || available < 400 * MB) return warn("memory", "Memory", detail, fix);
  return ok("memory", "Memory", detail);
}

async function checkCgroup({ host }: Patient): Promise<Finding> {
  if (hasUnifiedCgroups((path) => host.stat(path) !== null)) return ok("cgroup", "cgroup", "version 2");
  const fix = "Boot with systemd.unified_cgroup_hierarchy=1; until then memory pressure is not shown.";
  return warn("cgroup", "cgroup", "version 1", fix);
}

/** The default x64 build needs AVX2; without it the program would end with an illegal instruction. */
async function checkProcessor({ host, spec }: Patient): Promise<Finding | null> {
  const flags = readProcessorFlags(host.read);
  if (!flags || spec.target?.includes("arm64")) return null;
  const hasAvx2 = flags.includes("avx2");
  const isBaseline = spec.target?.includes("baseline") ?? false;
  const title = "Processor";
  if (!hasAvx2 && !isBaseline && spec.target !== null)
    return bad("processor", title, "has no AVX2, which this build needs", "Install the linux-x64-baseline build.");
  if (hasAvx2 && isBaseline)
    return warn("processor", title, "has AVX2, but this is the slower baseline build", "Install the linux-x64 build.");
  return ok("processor", title, hasAvx2 ? "has AVX2" : "fits this build");
}

/** What the machine has to offer. */
export const checkHardware: readonly ((patient: Patient) => Promise<Finding | null>)[] = [
  checkDisk,
  checkMemory,
  checkCgroup,
  checkProcessor,
];
