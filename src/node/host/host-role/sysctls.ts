import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { readKernelValue, writeKernelValue } from "../../machine/index.ts";
import { HOST_SYSCTLS, type HostSysctl, hostFail, type VerbInput, type VerbOutput } from "./verbs.ts";

type SysctlState = VerbOutput<"sysctl.state">;

/** Read at every boot, after what the distribution ships and before what administrators mostly write. */
const DROP_IN = "etc/sysctl.d/90-orrery.conf";
const HEAD = "# Written by Orrery, which keeps here what it sets and what there was before.\n";
/** It has a few lines; more was not written by us. */
const MOST_BYTES = 65_536;

export interface Sysctls {
  state(key: HostSysctl): SysctlState;
  set(wanted: VerbInput<"sysctl.set">): SysctlState;
}

/** What was set of one key, and what the kernel had before. */
interface Kept {
  value: number;
  before: number | null;
}

const isKey = (key: string): key is HostSysctl => Object.hasOwn(HOST_SYSCTLS, key);

function isInside(key: HostSysctl, value: number): boolean {
  const { min, max } = HOST_SYSCTLS[key];
  return Number.isInteger(value) && value >= min && value <= max;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Values of the kernel below `root`: set now, and at every boot by a file of our own. */
export function createSysctls(root: string): Sysctls {
  const dropIn = join(root, DROP_IN);

  const readLive = (key: HostSysctl) => readKernelValue(root, key);

  /** What the file says of keys and values that we could have written; all else in it is nobody's. */
  function readKept(): Map<HostSysctl, Kept> {
    const kept = new Map<HostSysctl, Kept>();
    const size = fs.statSync(dropIn, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size > MOST_BYTES) return kept;
    let before: number | null = null;
    for (const line of fs.readFileSync(dropIn, "utf8").split("\n")) {
      const was = /^# before: (\d{1,15})$/.exec(line);
      const [, key = "", value = ""] = /^([a-z.-]+) = (\d{1,15})$/.exec(line) ?? [];
      if (isKey(key) && isInside(key, Number(value))) kept.set(key, { value: Number(value), before });
      before = was ? Number(was[1]) : null;
    }
    return kept;
  }

  /** Replaces the file as one; without anything to keep it goes. */
  function writeKept(kept: ReadonlyMap<HostSysctl, Kept>): void {
    if (kept.size === 0) {
      fs.rmSync(dropIn, { force: true });
      return;
    }
    const lines = [...kept].map(([key, { value, before }]) => {
      const was = before === null ? "" : `# before: ${before}\n`;
      return `${was}${key} = ${value}\n`;
    });
    fs.mkdirSync(dirname(dropIn), { recursive: true });
    // Not .conf: nothing reads it while it is half written.
    const fresh = `${dropIn}.new`;
    const file = fs.openSync(fresh, "w", 0o644);
    try {
      fs.writeFileSync(file, HEAD + lines.join(""));
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(fresh, dropIn);
  }

  const stateOf = (key: HostSysctl): SysctlState => ({ value: readLive(key), set: readKept().get(key)?.value ?? null });

  return {
    state: stateOf,
    set({ key, value }) {
      const live = readLive(key);
      const kept = readKept();
      const earlier = kept.get(key);
      if (value === null && earlier === undefined) return stateOf(key);
      if (live === null && value !== null) throw hostFail("sysctl_unknown", { key });
      const next = new Map(kept);
      next.delete(key);
      if (value !== null) next.set(key, { value, before: earlier === undefined ? live : earlier.before });
      const wanted = value ?? earlier?.before ?? null;
      try {
        writeKept(next);
        if (live !== null && wanted !== null && wanted !== live) writeKernelValue(root, key, wanted);
      } catch (error) {
        restore(kept, key, live);
        const why = codeOf(error) || (error instanceof Error ? error.message : String(error));
        throw hostFail("sysctl_failed", { key, value: wanted ?? "what it was", reason: REASONS[why] ?? why });
      }
      return stateOf(key);
    },
  };

  /** As it was, as far as that goes: what cannot be written now could not be written before either. */
  function restore(kept: ReadonlyMap<HostSysctl, Kept>, key: HostSysctl, live: number | null): void {
    for (const undo of [() => writeKept(kept), () => live !== null && writeKernelValue(root, key, live)]) {
      try {
        undo();
      } catch {
        // Told by what it failed of in the first place.
      }
    }
  }
}

/** What stands behind the codes that writing ends with. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this server does not let it be changed, as most containers do not",
  EINVAL: "the kernel takes no such value",
  ENOSPC: "the disk is full",
  EPERM: "this server does not let it be changed, as most containers do not",
  EROFS: "this server does not let it be changed, as most containers do not",
};
