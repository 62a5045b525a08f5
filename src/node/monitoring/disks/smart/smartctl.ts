import type { RunProgram } from "../../../../kernel/host/run-program.ts";
import { seconds } from "../../../../lib/duration.ts";
import { type Outcome, parseSmart } from "./parse-smart.ts";

/** What came of asking a disk, or why nobody could be asked. */
export type Asked = Outcome | { kind: "missing" } | { kind: "timeout" };

/** The disk to ask: its name below `/dev` and how it is connected. */
export interface Asking {
  name: string;
  transport: string | null;
}

const LIMIT_MS = seconds(15);
/** A disk's whole log is some 100 kB; what is longer is not one. */
const MAX_OUTPUT = 4_000_000;
/** Exits with 3 when the disk sleeps and with 5 when it cannot tell; known since smartctl 7.3. */
const NO_WAKING = "standby,3,5";
/** What older ones take; a disk that cannot tell is then asked like one that is awake. */
const NO_WAKING_OLD = "standby,3";

/** Telling the kind spares the disk the commands by which smartctl finds it out, which can wake it. */
function kindOf({ transport }: Asking): string[] {
  if (transport === "nvme") return ["-d", "nvme"];
  return transport === "sata" ? ["-d", "sat"] : [];
}

const isRefusedFlag = (stdout: string): boolean => stdout.includes("INVALID ARGUMENT TO -n");
const isForbidden = (outcome: Outcome): boolean =>
  outcome.kind === "failed" && /permission denied|operation not permitted/i.test(outcome.reason);

/** Asks disks for their health through smartctl, without waking them. `viaSystemd` tells whether systemd runs this host. */
export function createSmartctl(program: string, run: RunProgram, viaSystemd: () => boolean) {
  let noWaking = NO_WAKING;

  async function ask(disk: Asking, mayWake: boolean, before: readonly string[]): Promise<Asked> {
    const power = mayWake ? "never" : noWaking;
    const argv = [program, "--json=c", "-a", "-n", power, ...kindOf(disk), `/dev/${disk.name}`];
    const { code, signal, stdout } = await run([...before, ...argv], { timeoutMs: LIMIT_MS, maxBytes: MAX_OUTPUT });
    if (signal !== null) return { kind: "timeout" };
    if (code === 127 && stdout === "") return { kind: "missing" };
    if (isRefusedFlag(stdout) && power === NO_WAKING) {
      noWaking = NO_WAKING_OLD;
      return ask(disk, mayWake, before);
    }
    return parseSmart(code, stdout);
  }

  return {
    /** Takes at most 15 s a try. With `mayWake` a sleeping disk is asked too: only for a person who wants that. */
    async ask(disk: Asking, mayWake = false): Promise<Asked> {
      const asked = await ask(disk, mayWake, []);
      if (asked.kind === "missing" || asked.kind === "timeout" || !isForbidden(asked) || !viaSystemd()) return asked;
      // Our unit has no CAP_SYS_ADMIN, which NVMe asks for; systemd runs this one command outside of it.
      const apart = await ask(disk, mayWake, ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", "--"]);
      return apart.kind === "missing" ? asked : apart;
    },
  };
}

export type Smartctl = ReturnType<typeof createSmartctl>;
