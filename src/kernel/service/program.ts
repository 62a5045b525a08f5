import type { Action } from "./actions.ts";
import type { Finding } from "./finding.ts";
import type { Host } from "./host.ts";

/** All that installing, upgrading and checking need to know about one of our programs. */
export interface ProgramSpec {
  /** File, unit and folder name, such as `orrery-node`. */
  name: string;
  /** The name without the family: `node`. */
  short: string;
  /** What people read: `Orrery node`. */
  title: string;
  version: string;
  /** What the program was compiled for, such as `linux-x64-baseline`; null in a checkout. */
  target: string | null;
  /** Main unit, the one that finishes upgrades, and the one that waits for requests, as file texts. */
  units: {
    service: string;
    upgrade: string;
    /** Starts the upgrade unit when the service asks for an update; null for a program that never does. */
    watch: string | null;
    /** A role that a socket starts when the service asks it something: the name of both units, and their texts. */
    onDemand: { name: string; socket: string; service: string } | null;
  };
  /** The user that the service runs as, who owns the data, and the unit that makes that user; null for root. */
  account: { name: string; unit: string } | null;
  /** The admin script that is installed as `/usr/local/bin/<name>`; null when this build carries none. */
  adminCommand: { name: string; content: string } | null;
  /** Port that a fresh install takes when it is free, and ports that other parts of ours may want. */
  port: number;
  portsKeptFree: readonly number[];
  /** SQLite files in the data folder; the first one holds the migration ledger. */
  databases: readonly [string, ...string[]];
  /** `feature/number` of every migration this build knows. */
  migrations: readonly string[];
  /** Variables that name the data folder and the HOST:PORT to listen on. */
  env: { data: string; listen: string };
  /** Path that answers without credentials, with the version. */
  healthPath: string;
  /**
   * What guards the first sign-in: a file in the data folder, made while nobody owns the data in that (real) folder. Null
   * where anybody may register.
   */
  claim: { file: string; needsOwner(dataDir: string): boolean } | null;
  /** Containers, networks and volumes of this installation's own apps, as removals; nothing of anybody else. */
  findApps(host: Host, env: Record<string, string>): Promise<Action[]>;
  /** Doctor's questions that only this program asks. */
  checks: readonly ((host: Host, env: Record<string, string>) => Promise<Finding>)[];
}

/** Where a program lives on its host. */
export interface Layout {
  base: string;
  releases: string;
  /** Link to the folder of the release that runs. */
  current: string;
  /** Link to the folder of the last release that proved itself; it runs upgrades and undoes them. */
  knownGood: string;
  command: string;
  admin: string;
  configDir: string;
  config: string;
  dataDir: string;
  snapshots: string;
  upgradeDir: string;
  journal: string;
  /** Outcome of the last upgrade. */
  lastUpgrade: string;
  /** Folder of the service's own, where it puts a fetched release … */
  updateDir: string;
  /** … and asks for it to be installed. */
  request: string;
  fetched: string;
  /** The request that is being carried out, out of the service's reach. */
  takenRequest: string;
  /** While this file exists the service does not start: its databases are being put back. */
  hold: string;
  /** What the program keeps in memory, such as sockets. */
  runDir: string;
  unitDir: string;
  serviceUnit: string;
  upgradeUnit: string;
  watchUnit: string;
  accountUnit: string;
}

/** Where the role on demand lives. */
export interface OnDemandLayout {
  socketUnit: string;
  serviceUnit: string;
  /** Its records. */
  logDir: string;
}

/** The layout of a program's role on demand; null for a program that has none. */
export function onDemandLayoutOf({ units }: Pick<ProgramSpec, "units">): OnDemandLayout | null {
  if (units.onDemand === null) return null;
  const { name } = units.onDemand;
  return { socketUnit: `${name}.socket`, serviceUnit: `${name}.service`, logDir: `/var/log/${name}` };
}

/** The layout of a program; every path absolute. */
export function layoutOf(spec: Pick<ProgramSpec, "name" | "short" | "adminCommand">): Layout {
  const dataDir = `/var/lib/${spec.name}`;
  const upgradeDir = `${dataDir}/upgrade`;
  const updateDir = `${dataDir}/update`;
  return {
    base: "/opt/orrery",
    releases: "/opt/orrery/releases",
    current: `/opt/orrery/current-${spec.short}`,
    knownGood: `/opt/orrery/known-good-${spec.short}`,
    command: `/usr/local/bin/${spec.name}`,
    admin: `/usr/local/bin/${spec.adminCommand?.name ?? "orrery"}`,
    configDir: "/etc/orrery",
    config: `/etc/orrery/${spec.short}.env`,
    dataDir,
    snapshots: `${dataDir}/snapshots`,
    upgradeDir,
    journal: `${upgradeDir}/journal.json`,
    lastUpgrade: `${upgradeDir}/last.json`,
    hold: `${upgradeDir}/hold`,
    updateDir,
    request: `${updateDir}/request.json`,
    fetched: `${updateDir}/release`,
    takenRequest: `${upgradeDir}/request.json`,
    runDir: `/run/${spec.name}`,
    unitDir: "/etc/systemd/system",
    serviceUnit: `${spec.name}.service`,
    upgradeUnit: `${spec.name}-upgrade.service`,
    watchUnit: `${spec.name}-upgrade.path`,
    accountUnit: `${spec.name}-user.service`,
  };
}
