import type { Wire } from "../engine-wire.ts";
import { EngineError, orNull, settled } from "../engine-wire.ts";
import { createLabelReader } from "../given-labels.ts";

/** One line of the container list. Labels that say whose a container is are here only where it was given them itself. */
export interface ContainerSummary {
  Id: string;
  Names: string[];
  Image: string;
  State: string;
  Labels: Record<string, string>;
  Ports?: { IP?: string; PrivatePort: number; PublicPort?: number; Type: string }[];
  ImageID?: string;
  /** Seconds since 1970. */
  Created?: number;
  /** In words: `Up 3 minutes (healthy)`. */
  Status?: string;
  Mounts?: ContainerMount[];
  NetworkSettings?: { Networks?: Record<string, ContainerAddress> | null };
  HostConfig?: { NetworkMode?: string };
  /** The Compose project that only its image says that it is of. */
  Claimed?: string | undefined;
}

/** How a container is reached in one network. */
export interface ContainerAddress {
  NetworkID?: string;
  Aliases?: string[] | null;
  /** Empty while it does not run. */
  IPAddress?: string;
  GlobalIPv6Address?: string;
}

/** What a container sees of the server's disks. */
export interface ContainerMount {
  /** `volume`, `bind`, `tmpfs` … */
  Type: string;
  /** Only volumes have one. */
  Name?: string;
  Source: string;
  Destination: string;
  RW: boolean;
}

/** How Docker asks a container whether it is well; times in nanoseconds, 0 for Docker's own. */
export interface CheckConfig {
  Test?: string[] | null;
  Interval?: number;
  Timeout?: number;
  StartPeriod?: number;
  Retries?: number;
}

/** A container in full, as far as we look at it; with labels as in the list. */
export interface ContainerInfo {
  Id: string;
  Name: string;
  /** Id of its image. */
  Image?: string;
  RestartCount: number;
  State: {
    Status: string;
    Running: boolean;
    Restarting: boolean;
    OOMKilled: boolean;
    Pid: number;
    ExitCode: number;
    Error: string;
    StartedAt: string;
    FinishedAt: string;
    Health?: { Status: string; FailingStreak?: number; Log?: { ExitCode: number; Output: string }[] };
  };
  Config: {
    Labels: Record<string, string>;
    Tty: boolean;
    Image: string;
    Env?: string[] | null;
    Cmd?: string[] | null;
    Entrypoint?: string[] | null;
    User?: string;
    WorkingDir?: string;
    Hostname?: string;
    StopSignal?: string;
    StopTimeout?: number | null;
    Healthcheck?: CheckConfig | null;
    /** As `514/udp`: what its image says that it listens on. */
    ExposedPorts?: Record<string, object> | null;
  };
  HostConfig: {
    Memory: number;
    NanoCpus?: number;
    Privileged?: boolean;
    NetworkMode?: string;
    RestartPolicy?: { Name: string; MaximumRetryCount?: number };
    PortBindings?: Record<string, { HostIp?: string; HostPort?: string }[] | null> | null;
    PidMode?: string;
    PidsLimit?: number | null;
    SecurityOpt?: string[] | null;
    CapAdd?: string[] | null;
    CapDrop?: string[] | null;
    ReadonlyRootfs?: boolean;
    ShmSize?: number;
    Ulimits?: { Name: string; Soft: number; Hard: number }[] | null;
    Sysctls?: Record<string, string> | null;
    Devices?: { PathOnHost: string; PathInContainer: string; CgroupPermissions: string }[] | null;
    Init?: boolean | null;
    ExtraHosts?: string[] | null;
    GroupAdd?: string[] | null;
    Dns?: string[] | null;
    DnsSearch?: string[] | null;
    DnsOptions?: string[] | null;
    LogConfig?: { Type: string; Config?: Record<string, string> | null } | null;
    Tmpfs?: Record<string, string> | null;
    Mounts?: { Type: string; Target: string }[] | null;
  };
  NetworkSettings: { Networks: Record<string, { IPAddress: string; Aliases?: string[] | null }> };
  Created?: string;
  Mounts?: ContainerMount[];
}

/** Body of `POST /containers/create`; built by the feature that owns the container. */
export type ContainerSpec = Record<string, unknown>;

/** Removing a container twice, or while it is being removed, is not a failure. */
const GONE = [304, 404, 409];
/** The engine's words where a container ended just as it was to be killed: it is there still, and can be removed now. */
const ENDED_MEANWHILE = /^Could not kill running container .* is not running$/;

/** Docker's filter for labels; an empty value asks only for the label's presence. */
export function labelFilter(labels: Record<string, string>): { label: string[] } {
  return { label: Object.entries(labels).map(([key, value]) => (value === "" ? key : `${key}=${value}`)) };
}

/** Verbs about containers. */
export function containerVerbs(wire: Wire) {
  const path = (id: string, verb = "") => `/containers/${encodeURIComponent(id)}${verb}`;
  const readLabels = createLabelReader(wire);

  async function remove(id: string, query: { force: boolean; v: boolean }): Promise<null> {
    const ask = () => wire.call<null>("DELETE", path(id), { query });
    try {
      return await ask();
    } catch (error) {
      if (error instanceof EngineError && ENDED_MEANWHILE.test(error.message)) return await ask();
      throw error;
    }
  }

  return {
    /** All containers with these labels, stopped ones too; every container when `labels` is empty. */
    async listContainers(labels: Record<string, string>): Promise<readonly ContainerSummary[]> {
      const found = await wire.call<readonly ContainerSummary[]>("GET", "/containers/json", {
        query: { all: true, filters: labelFilter(labels) },
        timeoutMs: 30_000,
      });
      const given = await Promise.all(
        found.map(async (one) => {
          const named = { name: one.Names[0] ?? "", image: one.ImageID, labels: one.Labels };
          const { labels: Labels, claimed: Claimed } = await readLabels(named);
          return { ...one, Labels, Claimed };
        }),
      );
      return given.filter(({ Labels }) =>
        Object.entries(labels).every(([name, value]) => (value === "" ? name in Labels : Labels[name] === value)),
      );
    },
    async inspectContainer(id: string): Promise<ContainerInfo | null> {
      const info = await orNull(wire.call<ContainerInfo>("GET", path(id, "/json"), { timeoutMs: 30_000 }));
      if (info === null) return null;
      const { Name, Image, Config } = info;
      const { labels: Labels } = await readLabels({ name: Name, image: Image, labels: Config.Labels });
      return { ...info, Config: { ...Config, Labels } };
    },
    /** Creates a container and returns its id. */
    async createContainer(name: string, spec: ContainerSpec): Promise<string> {
      const { Id } = await wire.call<{ Id: string }>("POST", "/containers/create", { query: { name }, body: spec });
      return Id;
    },
    startContainer: (id: string) => settled(wire.call("POST", path(id, "/start")), [304]),
    /** Sends the stop signal, then kills after `graceSeconds` (null: the container's own). */
    stopContainer: (id: string, graceSeconds: number | null) =>
      settled(wire.call("POST", path(id, "/stop"), { query: { t: graceSeconds } })),
    /** Lets its processes stand still where they are; nothing happens to one that does already, or does not run. */
    pauseContainer: (id: string) => settled(wire.call("POST", path(id, "/pause")), GONE),
    /** Lets them go on; nothing happens to one that is not paused. */
    unpauseContainer: (id: string) => settled(wire.call("POST", path(id, "/unpause")), [...GONE, 500]),
    /** Stops as `stopContainer` does and starts it, whether it runs or not. */
    restartContainer: (id: string, graceSeconds: number | null) =>
      wire.call<null>("POST", path(id, "/restart"), { query: { t: graceSeconds } }),
    /** Calls it otherwise, whether it runs or not. Throws EngineError 409 when another one has that name. */
    renameContainer: (id: string, name: string) => wire.call<null>("POST", path(id, "/rename"), { query: { name } }),
    killContainer: (id: string) => settled(wire.call("POST", path(id, "/kill")), GONE),
    /** Removes a container that stands still, or any with `isForced`; all of its volumes stay. Throws EngineError. */
    deleteContainer: (id: string, isForced: boolean) => remove(id, { force: isForced, v: false }),
    /** Stops at once if need be and removes it with its anonymous volumes. */
    removeContainer: (id: string) => settled(remove(id, { force: true, v: true }), GONE),
  };
}
