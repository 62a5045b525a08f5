/**
 * What a Compose file means to us, after interpolation and with units in the names. The executor creates containers from
 * this and from nothing else; every field is present, so absence is `null`, an empty list or an empty record.
 */
import type { FurtherValue } from "./further-keys.ts";

/** A whole Compose file. */
export interface ComposeProject {
  /** The file's own `name:`; ours are named by app id, so this is only shown. */
  readonly name: string | null;
  /** Services in dependency order: each one comes after everything that it depends on. */
  readonly services: readonly ServiceSpec[];
  /** Services that no profile asks for: they do not run. */
  readonly idle: readonly { readonly name: string; readonly profiles: readonly string[] }[];
  /** Named volumes that the file declares. */
  readonly volumes: readonly VolumeSpec[];
  /** Networks that the file declares, and `default` when a service uses it. */
  readonly networks: readonly NetworkSpec[];
}

/** One service of a Compose file: how its container is made. */
export interface ServiceSpec {
  readonly name: string;
  /** The image reference exactly as written: `repo:tag`, `repo@sha256:…` or `repo:tag@sha256:…`. */
  readonly image: string;
  /** argv in place of the image's command; `null` keeps the image's, an empty list clears it. */
  readonly command: readonly string[] | null;
  /** argv in place of the image's entrypoint; `null` keeps the image's, an empty list clears it. */
  readonly entrypoint: readonly string[] | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly MountSpec[];
  /** Services that must reach a state before this one starts. */
  readonly dependsOn: readonly DependencySpec[];
  /** `null` keeps the image's own check. */
  readonly healthcheck: HealthcheckSpec | null;
  readonly restart: RestartSpec;
  readonly networks: readonly NetworkAttachment[];
  /** `uid`, `uid:gid` or names; `null` keeps the image's. */
  readonly user: string | null;
  readonly workingDir: string | null;
  /** Ports that other services use; documentation only, nothing is published by it. */
  readonly expose: readonly ContainerPort[];
  /** Ports published on the host. Always empty for our own templates: their manifest says what is published. */
  readonly ports: readonly PublishedPort[];
  readonly capAdd: readonly string[];
  readonly capDrop: readonly string[];
  readonly securityOpt: readonly string[];
  readonly readOnly: boolean;
  /** Size of /dev/shm; `null` is Docker's own (64 MiB). */
  readonly shmSizeBytes: number | null;
  readonly ulimits: Readonly<Record<string, UlimitSpec>>;
  readonly sysctls: Readonly<Record<string, string>>;
  readonly devices: readonly DeviceSpec[];
  readonly labels: Readonly<Record<string, string>>;
  /** Docker's tiny init as process 1. */
  readonly init: boolean;
  /** Time between the stop signal and the kill; `null` is Docker's own (10 s). */
  readonly stopGraceMs: number | null;
  /** Such as `SIGINT`; `null` keeps the image's. */
  readonly stopSignal: string | null;
  readonly tty: boolean;
  readonly hostname: string | null;
  readonly extraHosts: readonly HostEntry[];
  readonly groupAdd: readonly string[];
  readonly limits: LimitSpec;
  /** In place of the name that the project gives; only of users' files. */
  readonly containerName: string | null;
  /** All of the server's powers; only of users' files. */
  readonly privileged: boolean;
  /** The server's own network, or none, in place of networks; a template has to declare it. */
  readonly networkMode: "host" | "none" | null;
  /** The processes of the whole server; only of users' files. */
  readonly pidMode: "host" | null;
  /** `null` leaves it to us; only of users' files. */
  readonly logging: LoggingSpec | null;
  /** Where it looks names up in place of Docker's own; only of users' files. */
  readonly dns: DnsSpec;
  /** It runs only when one of them is asked for, and always without any; only of users' files. */
  readonly profiles: readonly string[];
  /** Configs and secrets whose text the project holds; only of users' files. Those that are files of the server are mounts. */
  readonly files: readonly GivenFile[];
  /** Values of the keys in `FURTHER_KEYS` that it has; only of users' files. */
  readonly further: Readonly<Record<string, FurtherValue>>;
}

/** A text that is put into a container as a file before its first start. */
export interface GivenFile {
  readonly kind: "config" | "secret";
  /** As the file calls it. */
  readonly name: string;
  /** Full path in the container. */
  readonly target: string;
  readonly text: string;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits, such as 0o444. */
  readonly mode: number;
}

/** Where what a container writes goes to. */
export interface LoggingSpec {
  readonly driver: string;
  readonly options: Readonly<Record<string, string>>;
}

/** How a container looks names up; empty lists are Docker's own. */
export interface DnsSpec {
  readonly servers: readonly string[];
  readonly search: readonly string[];
  readonly options: readonly string[];
}

/** Resource limits of one container; `null` means none. */
export interface LimitSpec {
  readonly memoryBytes: number | null;
  /** Cores: 1.5 is one and a half. */
  readonly cpus: number | null;
  readonly pids: number | null;
}

/** One mount of a service. */
export type MountSpec =
  | {
      readonly kind: "volume";
      /** Name of a volume that the project declares. */
      readonly volume: string;
      readonly target: string;
      readonly isReadOnly: boolean;
      /** `true` keeps Docker from copying the image's files into an empty volume. */
      readonly noCopy: boolean;
    }
  | {
      readonly kind: "bind";
      /**
       * Absolute path on the host, which needs a permission (see `requiredPermissions`), or in users' files one that begins with
       * `./` in the folder of the project.
       */
      readonly source: string;
      readonly target: string;
      readonly isReadOnly: boolean;
      /** `true`: nothing is made in its place where it is missing. */
      readonly mustExist: boolean;
      /** How SELinux marks it: `z` for several containers, `Z` for this one alone. */
      readonly relabel: "z" | "Z" | null;
    }
  | {
      readonly kind: "tmpfs";
      readonly target: string;
      readonly sizeBytes: number | null;
      /** Permission bits, such as 0o1777. */
      readonly mode: number | null;
      /** Further options of the file system, such as `exec` or `uid=1000`; only of users' files. */
      readonly options: readonly string[];
    };

/** What another service must have reached. */
export interface DependencySpec {
  readonly service: string;
  readonly condition: DependencyCondition;
  /** `false`: a missing or failed dependency only warns. */
  readonly isRequired: boolean;
}

/** Reached states that a dependency can wait for. */
export type DependencyCondition = "service_started" | "service_healthy" | "service_completed_successfully";

/** How Docker finds out whether a container works. */
export type HealthcheckSpec =
  | { readonly kind: "none" }
  | {
      readonly kind: "exec";
      /** As the Docker API takes it: `["CMD", …argv]` or `["CMD-SHELL", text]`. */
      readonly test: readonly string[];
      /** `null` is Docker's own: 30 s, 30 s, 3, 0 s, 5 s. */
      readonly intervalMs: number | null;
      readonly timeoutMs: number | null;
      readonly retries: number | null;
      readonly startPeriodMs: number | null;
      readonly startIntervalMs: number | null;
    };

/** When Docker starts a container again. */
export interface RestartSpec {
  readonly policy: "no" | "always" | "on-failure" | "unless-stopped";
  /** Only with `on-failure`; 0 is without end. */
  readonly maxRetries: number;
}

/** A service's place in a network. */
export interface NetworkAttachment {
  readonly network: string;
  /** Names besides the service's own, which always resolves. */
  readonly aliases: readonly string[];
}

/** A network that the project owns. */
export interface NetworkSpec {
  readonly name: string;
  /** `true`: no way out of this network. */
  readonly isInternal: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** Options of the bridge driver; only of users' files. */
  readonly driverOpts: Readonly<Record<string, string>>;
  /** Only of users' files. */
  readonly hasIpv6: boolean;
  /** Addresses that it is to have, else Docker chooses; only of users' files. */
  readonly subnets: readonly SubnetSpec[];
  /** What Docker calls it, where the file says so; only of users' files. */
  readonly engineName: string | null;
  /** It is somebody else's: it has to be there, and is left as it is; only of users' files. */
  readonly isExternal: boolean;
}

/** One block of addresses of a network; `null` is left to Docker. */
export interface SubnetSpec {
  readonly subnet: string;
  readonly gateway: string | null;
  readonly ipRange: string | null;
}

/** A named volume that the project owns, always of the `local` driver. */
export interface VolumeSpec {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** What the `local` driver mounts, such as a share of another server; only of users' files. */
  readonly driverOpts: Readonly<Record<string, string>>;
  /** What Docker calls it, where the file says so; only of users' files. */
  readonly engineName: string | null;
  /** It is somebody else's: it has to be there, and is left as it is; only of users' files. */
  readonly isExternal: boolean;
}

/** A port inside a container. */
export interface ContainerPort {
  readonly container: number;
  readonly protocol: "tcp" | "udp";
}

/** A container's port on the host. */
export interface PublishedPort extends ContainerPort {
  /** `null` takes any free one. */
  readonly host: number | null;
  /** `null`: the file does not say. */
  readonly hostIp: string | null;
}

/** A host device inside a container. */
export interface DeviceSpec {
  readonly source: string;
  readonly target: string;
  /** Letters of `rwm`. */
  readonly permissions: string;
}

/** A limit of the kernel for one process; -1 is unlimited. */
export interface UlimitSpec {
  readonly soft: number;
  readonly hard: number;
}

/** A line of the container's /etc/hosts. */
export interface HostEntry {
  readonly host: string;
  /** An address or `host-gateway`. */
  readonly address: string;
}
