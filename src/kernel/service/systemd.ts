import type { Host } from "./host.ts";

/** What systemd says about a unit. */
export interface UnitState {
  /** `active`, `activating`, `failed`, `inactive`, … */
  active: string;
  /** Why it ended: `success`, `exit-code`, `watchdog`, `timeout`, … */
  result: string;
  /** 0 when it does not run. */
  pid: number;
  /** Automatic restarts since it was started by hand. */
  restarts: number;
}

/** True on a host whose first process is systemd. */
export function hasSystemd(host: Host): boolean {
  return host.stat("/run/systemd/system")?.kind === "directory";
}

/** The state of a unit; an unknown unit is `inactive`. */
export async function unitState(host: Host, unit: string): Promise<UnitState> {
  const properties = ["ActiveState", "Result", "MainPID", "NRestarts"];
  const { stdout } = await host.run(
    ["systemctl", "show", ...properties.map((name) => `--property=${name}`), unit],
    10_000,
  );
  const values = new Map(
    stdout.split("\n").map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)] as const),
  );
  return {
    active: values.get("ActiveState") ?? "inactive",
    result: values.get("Result") ?? "",
    pid: Number(values.get("MainPID") ?? 0),
    restarts: Number(values.get("NRestarts") ?? 0),
  };
}

/** True when the unit starts at boot. */
export function isUnitEnabled(host: Host, unit: string): boolean {
  return host.stat(wantsLink(unit)) !== null;
}

/** The link by which `systemctl enable` makes a unit start at boot. */
export const wantsLink = (unit: string): string => `/etc/systemd/system/multi-user.target.wants/${unit}`;
