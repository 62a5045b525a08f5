import { FURTHER_KEYS, type MountSpec, type ServiceSpec } from "../compose/index.ts";
import type { CheckConfig, ContainerInfo, ImageInfo } from "../runtime/index.ts";
import { containerRequest, networkNameOf, sourceOf, type Target, volumeNameOf } from "./container-request.ts";
import { ownLabels } from "./networks.ts";

/** What can be compared of a container, by the file's keys; each value is written the same way on both sides. */
type Comparable = Record<string, unknown>;
type ImageConfig = NonNullable<ImageInfo["Config"]>;

const sorted = (list: readonly string[] | null | undefined): string[] => [...(list ?? [])].sort();
const pairs = (map: Readonly<Record<string, string>> | null | undefined): string[] =>
  sorted(Object.entries(map ?? {}).map(([key, value]) => `${key}=${value}`));
const plainWords = (words: readonly string[] | null | undefined): string[] =>
  (words ?? []).filter((word) => word !== "");
const capabilities = (names: readonly string[] | null | undefined): string[] =>
  sorted((names ?? []).map((name) => name.replace(/^CAP_/, "")));
const hostEntries = (entries: readonly string[] | null | undefined): string[] =>
  sorted((entries ?? []).map((entry) => entry.replace(/^([^=:]+)[=:]/, "$1=")));

/** Variables as a container has them: those of its image, and those of the file in place of them. */
function mergedEnv(image: ImageConfig, environment: Readonly<Record<string, string>>): string[] {
  const merged = new Map<string, string>();
  for (const entry of image.Env ?? []) merged.set(entry.split("=")[0] ?? "", entry);
  for (const [name, value] of Object.entries(environment)) merged.set(name, `${name}=${value}`);
  return sorted([...merged.values()]);
}

/** A check with what Docker takes from the image where the file leaves it open. */
function checkOf(check: CheckConfig | null | undefined, image: ImageConfig): unknown {
  const test = check?.Test?.length ? check.Test : (image.Healthcheck?.Test ?? []);
  if (test.length === 0 || test[0] === "NONE") return test[0] ?? null;
  const time = (key: "Interval" | "Timeout" | "StartPeriod" | "Retries") =>
    check?.[key] || image.Healthcheck?.[key] || 0;
  return [test, time("Interval"), time("Timeout"), time("StartPeriod"), time("Retries")];
}

const anyAddress = (address: string | null | undefined): string =>
  address === "0.0.0.0" || address === "::" || !address ? "*" : address;

function mountText(target: Target, mount: MountSpec): string {
  if (mount.kind === "tmpfs") return `tmpfs ${mount.target}`;
  const source = mount.kind === "volume" ? volumeNameOf(target, mount.volume) : sourceOf(target, mount.source);
  return `${mount.kind} ${source} ${mount.target} ${mount.isReadOnly ? "ro" : "rw"}`;
}

const UNNAMED = /^[0-9a-f]{64}$/;

function mountsOf({ Mounts, HostConfig }: ContainerInfo): string[] {
  const places = (Mounts ?? [])
    .filter(({ Type, Name }) => Type === "bind" || (Type === "volume" && !UNNAMED.test(Name ?? "")))
    .map(({ Type, Name, Source, Destination, RW }) => {
      const source = Type === "volume" ? (Name ?? "") : Source;
      return `${Type} ${source} ${Destination} ${RW ? "rw" : "ro"}`;
    });
  const inMemory = [
    ...Object.keys(HostConfig.Tmpfs ?? {}),
    ...(HostConfig.Mounts ?? []).filter(({ Type }) => Type === "tmpfs").map(({ Target }) => Target),
  ];
  return sorted([...places, ...inMemory.map((target) => `tmpfs ${target}`)]);
}

const loggingOf = ({ HostConfig: { LogConfig } }: ContainerInfo): unknown => [
  LogConfig?.Type,
  pairs(LogConfig?.Config),
];

/** What the file says of the keys that are one value of Docker's request; what it leaves to Docker is as it is. */
const furtherInFile = ({ further }: ServiceSpec): Comparable =>
  Object.fromEntries(
    Object.entries(FURTHER_KEYS).flatMap(([key, { otherwise }]) => {
      const value = further[key] ?? otherwise;
      return value === null ? [] : [[key, value]];
    }),
  );

function furtherAsItRuns({ Config, HostConfig }: ContainerInfo): Comparable {
  const places = { container: new Map(Object.entries(Config)), host: new Map(Object.entries(HostConfig)) };
  return Object.fromEntries(
    Object.entries(FURTHER_KEYS).map(([key, { place, field, otherwise }]) => [
      key,
      places[place].get(field) ?? otherwise,
    ]),
  );
}

const SHM_BYTES = 67_108_864;

function asInFile(target: Target, service: ServiceSpec, image: ImageConfig, info: ContainerInfo): Comparable {
  const { limits } = service;
  const request = containerRequest(target, service);
  const cmd = service.command ?? (service.entrypoint === null ? (image.Cmd ?? []) : []);
  const check = request["Healthcheck"];
  return {
    image: service.image,
    environment: mergedEnv(image, service.environment),
    command: plainWords(cmd),
    entrypoint: plainWords(service.entrypoint ?? image.Entrypoint),
    user: service.user ?? image.User ?? "",
    working_dir: service.workingDir ?? image.WorkingDir ?? "",
    hostname: service.hostname ?? (service.networkMode === "host" ? info.Config.Hostname : info.Id.slice(0, 12)),
    labels: pairs(ownLabels({ ...image.Labels, ...service.labels })),
    healthcheck: checkOf(typeof check === "object" ? check : null, image),
    stop_signal: service.stopSignal ?? image.StopSignal ?? "",
    stop_grace_period: service.stopGraceMs === null ? null : Math.ceil(service.stopGraceMs / 1000),
    tty: service.tty,
    ports: sorted(
      service.ports.map(
        ({ container, protocol, host, hostIp }) => `${anyAddress(hostIp)}:${host ?? ""}:${container}/${protocol}`,
      ),
    ),
    restart: `${service.restart.policy}:${service.restart.maxRetries}`,
    volumes: sorted(service.mounts.map((mount) => mountText(target, mount))),
    network_mode: service.networkMode ?? "",
    networks: sorted(
      service.networks.map(
        ({ network, aliases }) =>
          `${networkNameOf(target, network)} ${sorted(aliases.filter((alias) => alias !== service.name))}`,
      ),
    ),
    privileged: service.privileged,
    pid: service.pidMode ?? "",
    mem_limit: limits.memoryBytes ?? 0,
    cpus: Math.round((limits.cpus ?? 0) * 1e9),
    pids_limit: limits.pids ?? 0,
    security_opt: sorted(service.securityOpt),
    cap_add: capabilities(service.capAdd),
    cap_drop: capabilities(service.capDrop),
    read_only: service.readOnly,
    shm_size: service.shmSizeBytes ?? SHM_BYTES,
    ulimits: sorted(Object.entries(service.ulimits).map(([name, { soft, hard }]) => `${name} ${soft} ${hard}`)),
    sysctls: pairs(service.sysctls),
    devices: sorted(service.devices.map((one) => `${one.source} ${one.target} ${one.permissions}`)),
    init: service.init,
    extra_hosts: hostEntries(service.extraHosts.map(({ host, address }) => `${host}=${address}`)),
    group_add: sorted(service.groupAdd),
    dns: sorted(service.dns.servers),
    dns_search: sorted(service.dns.search),
    dns_opt: sorted(service.dns.options),
    // A file that says nothing takes what the engine gives by itself.
    logging: service.logging === null ? loggingOf(info) : [service.logging.driver, pairs(service.logging.options)],
    ...furtherInFile(service),
  };
}

function asItRuns(service: ServiceSpec, info: ContainerInfo): Comparable {
  const { Config, HostConfig, NetworkSettings } = info;
  const mode = HostConfig.NetworkMode ?? "";
  const isAlone = mode === "host" || mode === "none";
  // Added by Docker itself, which keeps such containers apart from nothing.
  const isOpen = HostConfig.Privileged || HostConfig.PidMode === "host";
  const own = new Set([info.Id.slice(0, 12), info.Name.replace(/^\//, ""), service.name]);
  return {
    image: Config.Image,
    environment: sorted(Config.Env),
    command: plainWords(Config.Cmd),
    entrypoint: plainWords(Config.Entrypoint),
    user: Config.User ?? "",
    working_dir: Config.WorkingDir ?? "",
    hostname: Config.Hostname,
    labels: pairs(ownLabels(Config.Labels)),
    healthcheck: checkOf(Config.Healthcheck, {}),
    stop_signal: Config.StopSignal ?? "",
    stop_grace_period: Config.StopTimeout ?? null,
    tty: Config.Tty,
    ports: sorted(
      Object.entries(HostConfig.PortBindings ?? {}).flatMap(([port, list]) =>
        (list ?? []).map(({ HostIp, HostPort }) => `${anyAddress(HostIp)}:${HostPort ?? ""}:${port}`),
      ),
    ),
    restart: `${HostConfig.RestartPolicy?.Name || "no"}:${HostConfig.RestartPolicy?.MaximumRetryCount ?? 0}`,
    volumes: mountsOf(info),
    network_mode: isAlone ? mode : "",
    networks: isAlone
      ? []
      : sorted(
          Object.entries(NetworkSettings.Networks).map(
            ([name, { Aliases }]) => `${name} ${sorted((Aliases ?? []).filter((alias) => !own.has(alias)))}`,
          ),
        ),
    privileged: HostConfig.Privileged ?? false,
    pid: HostConfig.PidMode ?? "",
    mem_limit: HostConfig.Memory,
    cpus: HostConfig.NanoCpus ?? 0,
    pids_limit: Math.max(HostConfig.PidsLimit ?? 0, 0),
    security_opt: sorted(HostConfig.SecurityOpt).filter((option) => !(isOpen && option === "label=disable")),
    cap_add: capabilities(HostConfig.CapAdd),
    cap_drop: capabilities(HostConfig.CapDrop),
    read_only: HostConfig.ReadonlyRootfs ?? false,
    shm_size: HostConfig.ShmSize || SHM_BYTES,
    ulimits: sorted((HostConfig.Ulimits ?? []).map(({ Name, Soft, Hard }) => `${Name} ${Soft} ${Hard}`)),
    sysctls: pairs(HostConfig.Sysctls),
    devices: sorted(
      (HostConfig.Devices ?? []).map((one) => `${one.PathOnHost} ${one.PathInContainer} ${one.CgroupPermissions}`),
    ),
    init: HostConfig.Init ?? false,
    extra_hosts: hostEntries(HostConfig.ExtraHosts),
    group_add: sorted(HostConfig.GroupAdd),
    dns: sorted(HostConfig.Dns),
    dns_search: sorted(HostConfig.DnsSearch),
    dns_opt: sorted(HostConfig.DnsOptions),
    logging: loggingOf(info),
    ...furtherAsItRuns(info),
  };
}

/** Keys of a service in which a container that somebody else made is other than the file; none when it may run on as it is. */
export function differences(
  target: Target,
  service: ServiceSpec,
  info: ContainerInfo,
  image: ImageInfo | null,
): string[] {
  const wanted = asInFile(target, service, image?.Config ?? {}, info);
  const runs = asItRuns(service, info);
  return Object.keys(wanted).filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(runs[key]));
}
