import { systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import type { Command } from "./cli.ts";
import { doctorCommand } from "./doctor.ts";
import { createHost } from "./host.ts";
import { installCommand } from "./install.ts";
import type { ProgramSpec } from "./program.ts";
import { uninstallCommand } from "./uninstall.ts";
import { upgradeCommand } from "./upgrade.ts";

/** The commands by which a program looks after its place on the host; the same for each of ours. */
export function serviceCommands(spec: ProgramSpec, env: () => Record<string, string>): Command[] {
  const host = createHost();
  const ids = createIds(systemClock.now);
  const deps = (print: (line: string) => void) => ({ host, spec, clock: systemClock, ids, env: env(), print });
  return [installCommand(deps), uninstallCommand(host, spec), upgradeCommand(deps), doctorCommand(host, spec, env)];
}
