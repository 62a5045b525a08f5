/** What may be asked of the host role: fixed verbs, each with the shape of its question and answer, and the port to ask through. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { defineErrors } from "../../../kernel/http/errors.ts";
import type { HostTalk } from "./host-work.ts";

/** Packages that may be asked for; nothing else is ever installed or removed. */
export const HOST_PACKAGES = [
  "caddy",
  "docker-compose-v2",
  "docker.io",
  "earlyoom",
  "irqbalance",
  "linux-cpupower",
  "lynis",
  "podman",
  "preload",
  "restic",
  "smartmontools",
  "wireguard-tools",
  "zram-tools",
] as const;

/** Units that these packages bring, under every name that Debian and Ubuntu give them. */
export const HOST_UNITS = [
  "caddy.service",
  "cpupower.service",
  "docker.service",
  "docker.socket",
  "earlyoom.service",
  "irqbalance.service",
  "podman.socket",
  "preload.service",
  "smartd.service",
  "smartmontools.service",
  "zramswap.service",
] as const;

/** Programs of the snap store that may be switched on and off. */
export const HOST_SNAPS = ["docker"] as const;

/** Values of the kernel that may be set, and between which bounds; what concerns the network is not among them. */
export const HOST_SYSCTLS = {
  /** How many pages are read ahead from where memory was put aside, as a power of two. */
  "vm.page-cluster": { min: 0, max: 8 },
  /** How much rather memory is put aside than files are forgotten; 100 is neither. */
  "vm.swappiness": { min: 0, max: 200 },
} as const;

const Name = <Names extends readonly string[]>(names: Names) => {
  const known: readonly string[] = names;
  return Type.Unsafe<Names[number]>(Type.Union(known.map((name) => Type.Literal(name))));
};

const strict = { additionalProperties: false };
const PackageName = Name(HOST_PACKAGES);
export type HostPackage = Static<typeof PackageName>;
const UnitName = Name(HOST_UNITS);
export type HostUnit = Static<typeof UnitName>;
const SnapName = Name(HOST_SNAPS);
export type HostSnap = Static<typeof SnapName>;

const SYSCTL_NAMES = ["vm.page-cluster", "vm.swappiness"] as const satisfies readonly (keyof typeof HOST_SYSCTLS)[];
const SysctlName = Name(SYSCTL_NAMES);
export type HostSysctl = Static<typeof SysctlName>;
const SysctlValue = Type.Union([Type.Integer(), Type.Null()]);

const SysctlState = Type.Object(
  {
    /** What the kernel has now; null where it knows no such key. */
    value: SysctlValue,
    /** What was set from here, now and at boot; null where nothing was. */
    set: SysctlValue,
  },
  strict,
);

/** Each key with its own bounds, or null to give back what was there before. */
const SysctlInput = Type.Union(
  SYSCTL_NAMES.map((key) => {
    const { min, max } = HOST_SYSCTLS[key];
    const value = Type.Union([Type.Integer({ minimum: min, maximum: max }), Type.Null()]);
    return Type.Object({ key: Type.Literal(key), value }, strict);
  }),
);

const PackageInput = Type.Object(
  { packages: Type.Array(PackageName, { minItems: 1, maxItems: HOST_PACKAGES.length, uniqueItems: true }) },
  strict,
);
const PackageNames = Type.Array(PackageName);
const Version = Type.Union([Type.String(), Type.Null()]);

const UnitState = Type.Object(
  {
    /** It runs now. */
    active: Type.Boolean(),
    /** It starts at boot. */
    enabled: Type.Boolean(),
    /** It ended in an error, or could not be started. */
    failed: Type.Boolean(),
    /** systemd knows a unit of this name. */
    exists: Type.Boolean(),
  },
  strict,
);

const SnapState = Type.Object(
  {
    installed: Type.Boolean(),
    /** It runs now and starts at boot; one that is switched off keeps its data. */
    enabled: Type.Boolean(),
  },
  strict,
);

/** Folder of snapshots in Docker's data folder, and what they are called: whose they are, then which. */
export const SNAPSHOT_FOLDER = "orrery-snapshots";
const OWNER = "[0-9a-f]{16}";
const SnapshotOwner = Type.String({ pattern: `^${OWNER}$` });
const SnapshotName = Type.String({ pattern: `^${OWNER}-snp_[A-Za-z0-9]{1,40}$` });
/** Docker's data folder as whoever asks knows it: it has to be what the engine of this server says itself. */
const DataRoot = Type.String({ pattern: "^/", maxLength: 4096 });

/** Size that a terminal may have. */
export const MOST_COLUMNS = 500;
export const MOST_ROWS = 300;

/** Every verb: what it takes, what it gives, and whether it changes the server and so is written down first. */
export const HOST_VERBS = {
  "packages.state": {
    acts: false,
    input: PackageInput,
    output: Type.Object(
      {
        /** What installs packages here; null where it is nothing that we know. */
        manager: Type.Union([Type.Literal("apt"), Type.Null()]),
        /** Another program is at the packages just now, or this one is. */
        locked: Type.Boolean(),
        packages: Type.Array(Type.Object({ name: PackageName, installed: Version, candidate: Version }, strict)),
      },
      strict,
    ),
  },
  "packages.install": {
    acts: true,
    input: PackageInput,
    /** Those that were not there before. */
    output: Type.Object({ installed: PackageNames }, strict),
  },
  "packages.remove": {
    acts: true,
    input: PackageInput,
    /** Those that were there before. */
    output: Type.Object({ removed: PackageNames }, strict),
  },
  "unit.state": { acts: false, input: Type.Object({ unit: UnitName }, strict), output: UnitState },
  "unit.set": {
    acts: true,
    input: Type.Object({ unit: UnitName, enabled: Type.Boolean(), active: Type.Boolean() }, strict),
    output: UnitState,
  },
  "snap.state": { acts: false, input: Type.Object({ snap: SnapName }, strict), output: SnapState },
  "snap.set": {
    acts: true,
    input: Type.Object({ snap: SnapName, enabled: Type.Boolean() }, strict),
    output: SnapState,
  },
  "sysctl.state": { acts: false, input: Type.Object({ key: SysctlName }, strict), output: SysctlState },
  "sysctl.set": { acts: true, input: SysctlInput, output: SysctlState },
  /** What the disk that has Docker's volumes holds at one moment, read-only. */
  "snapshot.take": {
    acts: true,
    input: Type.Object({ owner: SnapshotOwner, data_root: DataRoot }, strict),
    /** `volumes` is the path of Docker's folder of volumes in it. */
    output: Type.Object({ name: SnapshotName, volumes: Type.String() }, strict),
  },
  "snapshot.drop": {
    acts: true,
    input: Type.Object({ name: SnapshotName, data_root: DataRoot }, strict),
    /** False where it was gone already. */
    output: Type.Object({ dropped: Type.Boolean() }, strict),
  },
  /** A login shell of a user of this server, who is checked to be there, and to be no root by another name. */
  "terminal.open": {
    acts: true,
    input: Type.Object(
      {
        user: Type.String({ pattern: "^[a-z_][a-z0-9_-]{0,31}$" }),
        columns: Type.Integer({ minimum: 1, maximum: MOST_COLUMNS }),
        rows: Type.Integer({ minimum: 1, maximum: MOST_ROWS }),
      },
      strict,
    ),
    /** With what the shell ended; null where a signal ended it. */
    output: Type.Object({ exit_code: Type.Union([Type.Integer(), Type.Null()]) }, strict),
  },
} as const satisfies Record<string, { acts: boolean; input: TSchema; output: TSchema }>;

/** Whether it is a verb that talks: frames go both ways while it is at work. */
export const isTalk = (verb: string): boolean => verb === "terminal.open";

export type HostVerb = keyof typeof HOST_VERBS;
export type VerbInput<V extends HostVerb> = Static<(typeof HOST_VERBS)[V]["input"]>;
export type VerbOutput<V extends HostVerb> = Static<(typeof HOST_VERBS)[V]["output"]>;

export interface AskOptions {
  /** Who asked, for the audit line: an id, such as `usr_…` or `op_…`. */
  by: string;
  /** Told each line that the programs behind the verb print. */
  onLine?: (line: string) => void;
  /** Ends the waiting. What has begun to change the server is carried out to its end; a terminal ends with it. */
  signal?: AbortSignal;
  /** For verbs that talk. */
  talk?: HostTalk;
}

/** The way to everything that needs the open host. Rejects with an AppError of `hostFail` or with the signal's reason. */
export interface HostRole {
  ask<V extends HostVerb>(verb: V, input: VerbInput<V>, options: AskOptions): Promise<VerbOutput<V>>;
}

export const hostFail = defineErrors({
  host_request_refused: [400, "The host role refused what it was asked: {reason}."],
  apt_locked: [
    409,
    "Another program is installing or removing packages on this server just now. Wait until it is done, then try again.",
  ],
  no_package_manager: [
    409,
    "This server has no apt, so packages cannot be installed from here. Install {packages} with its own package manager.",
  ],
  no_systemd: [409, "This server does not run systemd, so {unit} cannot be switched from here."],
  package_needed: [
    409,
    "{package} cannot be removed alone: {needed_by} would go with it. Remove that first, on the server itself.",
  ],
  package_unavailable: [
    409,
    "The package sources of this server do not offer {package}. Look at /etc/apt/sources.list.d, and whether the server reaches them.",
  ],
  terminal_user_unknown: [409, "This server has no user {user}. Choose another one for its terminal."],
  terminal_user_refused: [409, "No terminal opens as {user}: {reason}. Choose another user for it."],
  unit_unknown: [409, "This server has no unit {unit}. Install what brings it first."],
  apt_failed: [502, "apt-get could not {task}. It ended with: {last_lines}"],
  snap_unknown: [409, "This server has no {snap} from the snap store. Look at the components again."],
  sysctl_unknown: [409, "The kernel of this server knows no {key}, so it cannot be set from here."],
  snapshot_refused: [409, "No snapshot of Docker's volumes can be taken or deleted: {reason}."],
  snapshot_failed: [502, "The server could not {task}. It says: {last_lines}"],
  snap_failed: [502, "{snap} from the snap store could not be {task}. snap says: {last_lines}"],
  unit_failed: [502, "{unit} could not be {task}. systemd says: {last_lines}"],
  sysctl_failed: [502, "{key} could not be set to {value}: {reason}. It is as it was."],
  terminal_failed: [502, "The server opened no terminal: {reason}. Try again, or sign in on the server itself."],
  host_role_busy: [503, "The host role has too much to do just now. Try again in a minute."],
  host_role_unavailable: [503, "The host role does not answer: {reason}. {next_step}"],
});
