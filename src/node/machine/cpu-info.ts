/** The processor of the host. */
export interface CpuInfo {
  model: string;
  cores: number;
  threads: number;
}

// Arm processors give numbers instead of a name; these are the ones found in servers and small boards.
const ARM_CORES: Record<string, string> = {
  "0x41/0xd03": "Arm Cortex-A53",
  "0x41/0xd05": "Arm Cortex-A55",
  "0x41/0xd07": "Arm Cortex-A57",
  "0x41/0xd08": "Arm Cortex-A72",
  "0x41/0xd09": "Arm Cortex-A73",
  "0x41/0xd0a": "Arm Cortex-A75",
  "0x41/0xd0b": "Arm Cortex-A76",
  "0x41/0xd0c": "Arm Neoverse-N1",
  "0x41/0xd40": "Arm Neoverse-V1",
  "0x41/0xd49": "Arm Neoverse-N2",
  "0x41/0xd4f": "Arm Neoverse-V2",
  "0xc0/0xac3": "Ampere-1",
  "0xc0/0xac4": "Ampere-1A",
};

function values(text: string, key: string): string[] {
  return [...text.matchAll(new RegExp(`^${key}[ \\t]*:[ \\t]*(.+)$`, "gm"))].map((match) => match[1]?.trim() ?? "");
}

/** The biggest core counts as the name of a processor that mixes sizes: it is listed last. */
function armCore(text: string): string | undefined {
  const implementer = values(text, "CPU implementer").at(-1);
  const part = values(text, "CPU part").at(-1);
  return ARM_CORES[`${implementer}/${part}`];
}

/** Reads `/proc/cpuinfo`. Where cores are not listed (Arm), every thread is taken for one. */
export function parseCpuInfo(text: string): CpuInfo {
  const threads = Math.max(1, values(text, "processor").length);
  const packages = values(text, "physical id");
  const cores = new Set(values(text, "core id").map((core, index) => `${packages[index] ?? 0}/${core}`));
  const model =
    values(text, "model name")[0] ??
    armCore(text) ??
    values(text, "uarch")[0] ??
    values(text, "cpu model")[0] ??
    values(text, "Model")[0] ??
    values(text, "Hardware")[0] ??
    "Unknown processor";
  return { model: model.replace(/\s+/g, " "), cores: cores.size || threads, threads };
}
