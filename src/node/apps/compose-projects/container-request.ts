import { createHmac } from "node:crypto";
import { sha256Hex } from "../../../lib/digest.ts";
import { toHealthcheck } from "../apps/index.ts";
import {
  type ComposeProject,
  FURTHER_KEYS,
  type MountSpec,
  type PublishedPort,
  type ServiceSpec,
} from "../compose/index.ts";
import type { ContainerSpec } from "../runtime/index.ts";
import {
  FILES_LABEL,
  FOLDER_LABEL,
  HASH_LABEL,
  IMAGE_LABEL,
  MANAGED_LABEL,
  ONE_OFF_LABEL,
  PROJECT_LABEL,
  SERVICE_LABEL,
} from "./labels.ts";

/** A project as it is put on the engine. */
export interface Target {
  name: string;
  /** Where its file is kept. */
  folder: string;
  /** Which node looks after it. */
  node: string;
  /** Digests of texts that are given as files are made with it: labels are read by everybody, and a short password is soon guessed. */
  digestKey: Uint8Array;
  project: ComposeProject;
}

export const containerNameOf = (name: string, service: ServiceSpec): string =>
  service.containerName ?? `${name}-${service.name}-1`;
const inProject = (name: string, part: string): string => `${name}_${part}`;

type Named = Pick<Target, "name" | "project">;

/** What Docker calls a network of the file. */
export const networkNameOf = ({ name, project }: Named, network: string): string =>
  project.networks.find((each) => each.name === network)?.engineName ?? inProject(name, network);

/** What Docker calls a volume of the file. */
export const volumeNameOf = ({ name, project }: Named, volume: string): string =>
  project.volumes.find((each) => each.name === volume)?.engineName ?? inProject(name, volume);

/** Names under which others of the project reach a service in one of its networks. */
export function aliasesOf(service: ServiceSpec, network: string): string[] {
  const attachment = service.networks.find((item) => item.network === network);
  return [service.name, ...(attachment?.aliases ?? [])];
}

/** Docker makes a missing folder for what stands below Binds, as Compose does; a colon cannot be written there. */
const isBind = (mount: MountSpec): boolean =>
  mount.kind === "bind" && !mount.mustExist && !`${mount.source}${mount.target}`.includes(":");

/** Where a bind mount lies on the server. */
export const sourceOf = ({ folder }: Pick<Target, "folder">, source: string): string =>
  source.startsWith("./") ? `${folder}/${source.slice(2)}` : source;

/** Memory with options that only its text form has. */
const isTmpfs = (mount: MountSpec): boolean => mount.kind === "tmpfs" && mount.options.length > 0;

function toTmpfs(mounts: readonly MountSpec[]): Record<string, string> {
  return Object.fromEntries(
    mounts.flatMap((mount) => {
      if (mount.kind !== "tmpfs" || !isTmpfs(mount)) return [];
      const size = mount.sizeBytes === null ? [] : [`size=${mount.sizeBytes}`];
      const mode = mount.mode === null ? [] : [`mode=${mount.mode.toString(8)}`];
      return [[mount.target, [...size, ...mode, ...mount.options].join(",")]];
    }),
  );
}

function toMount(target: Target, mount: MountSpec): Record<string, unknown> {
  if (mount.kind === "tmpfs") {
    const size = mount.sizeBytes === null ? {} : { SizeBytes: mount.sizeBytes };
    const mode = mount.mode === null ? {} : { Mode: mount.mode };
    return { Type: "tmpfs", Target: mount.target, TmpfsOptions: { ...size, ...mode } };
  }
  const place = { Type: mount.kind, Target: mount.target, ReadOnly: mount.isReadOnly };
  if (mount.kind === "bind") return { ...place, Source: sourceOf(target, mount.source) };
  return { ...place, Source: volumeNameOf(target, mount.volume), VolumeOptions: { NoCopy: mount.noCopy } };
}

const bindOptions = ({ isReadOnly, relabel }: Extract<MountSpec, { kind: "bind" }>): string =>
  [isReadOnly ? "ro" : "rw", ...(relabel === null ? [] : [relabel])].join(",");

const toBinds = (target: Target, mounts: readonly MountSpec[]): string[] =>
  mounts
    .filter(isBind)
    .flatMap((mount) =>
      mount.kind === "bind" ? [`${sourceOf(target, mount.source)}:${mount.target}:${bindOptions(mount)}`] : [],
    );

const portKey = ({ container, protocol }: Pick<PublishedPort, "container" | "protocol">): string =>
  `${container}/${protocol}`;

function toBindings(ports: readonly PublishedPort[]): Record<string, unknown> {
  const byPort = Map.groupBy(ports, portKey);
  return Object.fromEntries(
    [...byPort].map(([key, list]) => [
      key,
      list.map(({ host, hostIp }) => ({ HostIp: hostIp ?? "", HostPort: host === null ? "" : String(host) })),
    ]),
  );
}

function networkMode(target: Target, service: ServiceSpec): string {
  const first = service.networks[0];
  return service.networkMode ?? (first === undefined ? "none" : networkNameOf(target, first.network));
}

function furtherOf({ further }: ServiceSpec, place: "container" | "host"): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(further).flatMap(([key, value]) => {
      const known = FURTHER_KEYS[key];
      return known?.place === place ? [[known.field, value]] : [];
    }),
  );
}

function hostConfig(target: Target, service: ServiceSpec): Record<string, unknown> {
  const { limits } = service;
  return {
    Binds: toBinds(target, service.mounts),
    Mounts: service.mounts.filter((mount) => !isBind(mount) && !isTmpfs(mount)).map((mount) => toMount(target, mount)),
    ...(service.mounts.some(isTmpfs) ? { Tmpfs: toTmpfs(service.mounts) } : {}),
    PortBindings: toBindings(service.ports),
    RestartPolicy: { Name: service.restart.policy, MaximumRetryCount: service.restart.maxRetries },
    NetworkMode: networkMode(target, service),
    // Bounded, or the log of one container fills the disk of all.
    LogConfig:
      service.logging === null
        ? { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } }
        : { Type: service.logging.driver, Config: service.logging.options },
    // Left out when empty: what was made before files could say it keeps its digest.
    ...(service.dns.servers.length === 0 ? {} : { Dns: service.dns.servers }),
    ...(service.dns.search.length === 0 ? {} : { DnsSearch: service.dns.search }),
    ...(service.dns.options.length === 0 ? {} : { DnsOptions: service.dns.options }),
    ...(service.pidMode === null ? {} : { PidMode: service.pidMode }),
    Privileged: service.privileged,
    ...(limits.memoryBytes === null ? {} : { Memory: limits.memoryBytes }),
    ...(limits.cpus === null ? {} : { NanoCpus: Math.round(limits.cpus * 1e9) }),
    ...(limits.pids === null ? {} : { PidsLimit: limits.pids }),
    SecurityOpt: service.securityOpt,
    CapAdd: service.capAdd,
    CapDrop: service.capDrop,
    ReadonlyRootfs: service.readOnly,
    ...(service.shmSizeBytes === null ? {} : { ShmSize: service.shmSizeBytes }),
    Ulimits: Object.entries(service.ulimits).map(([Name, { soft, hard }]) => ({ Name, Soft: soft, Hard: hard })),
    Sysctls: service.sysctls,
    Devices: service.devices.map(({ source, target: inside, permissions }) => ({
      PathOnHost: source,
      PathInContainer: inside,
      CgroupPermissions: permissions,
    })),
    Init: service.init,
    ExtraHosts: service.extraHosts.map(({ host, address }) => `${host}:${address}`),
    GroupAdd: service.groupAdd,
    ...furtherOf(service, "host"),
  };
}

/** Labels of everything that belongs to a project; Compose finds its own by them. */
export const projectLabels = ({ name, node }: Pick<Target, "name" | "node">): Record<string, string> => ({
  [PROJECT_LABEL]: name,
  [MANAGED_LABEL]: node,
});

/** What a container is made with beyond what the file says. */
interface Known {
  /** Id of its image. */
  image?: string | undefined;
  /** Ids of networks by their names in the file. Others may be called so when it is started; by its id it is in this one or in none. */
  networks?: ReadonlyMap<string, string>;
}

/** The Docker API's words for one service. The same file gives the same digest in the label. */
export function containerRequest(target: Target, service: ServiceSpec, { image, networks }: Known = {}): ContainerSpec {
  const { name, folder } = target;
  const first = service.networks[0];
  const healthcheck = toHealthcheck(service.healthcheck);
  const exposed = [...service.ports, ...service.expose].map((port) => [portKey(port), {}]);
  const spec = {
    Image: service.image,
    Env: Object.entries(service.environment).map(([key, value]) => `${key}=${value}`),
    ...(service.command === null ? {} : { Cmd: service.command }),
    // An empty list would keep the image's entry point; one empty word clears it.
    ...(service.entrypoint === null ? {} : { Entrypoint: service.entrypoint.length === 0 ? [""] : service.entrypoint }),
    ...(service.user === null ? {} : { User: service.user }),
    ...(service.workingDir === null ? {} : { WorkingDir: service.workingDir }),
    ...(service.hostname === null ? {} : { Hostname: service.hostname }),
    ...(service.stopSignal === null ? {} : { StopSignal: service.stopSignal }),
    ...(service.stopGraceMs === null ? {} : { StopTimeout: Math.ceil(service.stopGraceMs / 1000) }),
    ...(healthcheck === undefined ? {} : { Healthcheck: healthcheck }),
    Tty: service.tty,
    ...furtherOf(service, "container"),
    ExposedPorts: Object.fromEntries(exposed),
    HostConfig: hostConfig(target, service),
    NetworkingConfig: {
      EndpointsConfig:
        first === undefined
          ? {}
          : { [networkNameOf(target, first.network)]: { Aliases: aliasesOf(service, first.network) } },
    },
  };
  // The further networks are no part of the request, but a change of them is one of the container.
  const parts: unknown[] = [spec, service.labels, service.networks, containerNameOf(name, service)];
  if (service.files.length > 0) parts.push(filesDigest(target, service));
  const digest = sha256Hex(JSON.stringify(parts));
  const network = first && networks?.get(first.network);
  return {
    ...spec,
    ...(first === undefined || network === undefined
      ? {}
      : {
          HostConfig: { ...spec.HostConfig, NetworkMode: network },
          NetworkingConfig: {
            EndpointsConfig: { [network]: { NetworkID: network, Aliases: aliasesOf(service, first.network) } },
          },
        }),
    Labels: {
      ...service.labels,
      ...projectLabels(target),
      [SERVICE_LABEL]: service.name,
      [HASH_LABEL]: digest,
      "com.docker.compose.container-number": "1",
      [ONE_OFF_LABEL]: "False",
      "com.docker.compose.config-hash": digest,
      "com.docker.compose.depends_on": service.dependsOn
        .map(({ service: other, condition }) => `${other}:${condition}:false`)
        .join(","),
      [FOLDER_LABEL]: folder,
      [FILES_LABEL]: `${folder}/compose.yaml`,
      ...(image === undefined ? {} : { [IMAGE_LABEL]: image }),
    },
  };
}

const filesDigest = ({ digestKey }: Target, { files }: ServiceSpec): string =>
  createHmac("sha256", digestKey).update(JSON.stringify(files)).digest("hex");

/** The digest that a container of this service would have. */
export function requestDigest(target: Target, service: ServiceSpec): string {
  const labels = containerRequest(target, service)["Labels"];
  const digest = typeof labels === "object" && labels !== null && HASH_LABEL in labels ? labels[HASH_LABEL] : "";
  return typeof digest === "string" ? digest : "";
}
