import { sha256Hex } from "../../../../lib/digest.ts";
import type { HealthcheckSpec, MountSpec, ServiceSpec } from "../../compose/index.ts";
import type { ContainerSpec } from "../../runtime/index.ts";
import type { Blueprint } from "./blueprint.ts";
import { limitsOf } from "./limits.ts";
import { appLabels, networkName, SERVICE_LABEL, SPEC_LABEL, volumeName } from "./names.ts";

const NANOSECONDS = 1_000_000;

function toMount(app: Blueprint["app"], mount: MountSpec): Record<string, unknown> {
  switch (mount.kind) {
    case "volume":
      return {
        Type: "volume",
        Source: volumeName(app, mount.volume),
        Target: mount.target,
        ReadOnly: mount.isReadOnly,
        VolumeOptions: { NoCopy: mount.noCopy },
      };
    case "bind":
      return { Type: "bind", Source: mount.source, Target: mount.target, ReadOnly: mount.isReadOnly };
    case "tmpfs":
      return {
        Type: "tmpfs",
        Target: mount.target,
        TmpfsOptions: {
          ...(mount.sizeBytes === null ? {} : { SizeBytes: mount.sizeBytes }),
          ...(mount.mode === null ? {} : { Mode: mount.mode }),
        },
      };
  }
}

/** The Docker API's words for a check; undefined keeps the image's own. */
export function toHealthcheck(check: HealthcheckSpec | null): Record<string, unknown> | undefined {
  if (check === null) return undefined;
  if (check.kind === "none") return { Test: ["NONE"] };
  return {
    Test: check.test,
    Interval: (check.intervalMs ?? 0) * NANOSECONDS,
    Timeout: (check.timeoutMs ?? 0) * NANOSECONDS,
    StartPeriod: (check.startPeriodMs ?? 0) * NANOSECONDS,
    Retries: check.retries ?? 0,
    // Left out when nothing is said: what was made before keeps its digest.
    ...(check.startIntervalMs === null ? {} : { StartInterval: check.startIntervalMs * NANOSECONDS }),
  };
}

/** What Docker publishes; on the server's network there is nothing to publish. */
function toPorts({ ports }: Blueprint, { name, networkMode }: ServiceSpec) {
  const own = networkMode === "host" ? [] : ports.filter(({ service }) => service === name);
  return {
    exposed: Object.fromEntries(own.map((port) => [`${port.container}/${port.protocol}`, {}])),
    bindings: Object.fromEntries(
      own.map((port) => [`${port.container}/${port.protocol}`, [{ HostIp: port.bind, HostPort: String(port.host) }]]),
    ),
  };
}

/** Setuid programs gain nothing inside a container, unless the Compose file says otherwise. */
function securityOptions({ securityOpt }: ServiceSpec): string[] {
  const isDecided = securityOpt.some((option) => option.startsWith("no-new-privileges"));
  return isDecided ? [...securityOpt] : ["no-new-privileges:true", ...securityOpt];
}

function hostConfig(blueprint: Blueprint, service: ServiceSpec): Record<string, unknown> {
  const { app, manifest, config } = blueprint;
  const limits = limitsOf(service, manifest, config);
  const memory = limits.memory_bytes ?? 0;
  const network = service.networks[0]?.network;
  return {
    Mounts: service.mounts.map((mount) => toMount(app, mount)),
    PortBindings: toPorts(blueprint, service).bindings,
    RestartPolicy: { Name: service.restart.policy, MaximumRetryCount: service.restart.maxRetries },
    Memory: memory,
    // Equal to Memory: no swap, so that an app over its limit is told so instead of slowing the whole server down.
    MemorySwap: memory,
    NanoCpus: Math.round((limits.cpus ?? 0) * 1e9),
    PidsLimit: limits.pids,
    NetworkMode: service.networkMode ?? (network === undefined ? "none" : networkName(app, network)),
    SecurityOpt: securityOptions(service),
    LogConfig: { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } },
    CapAdd: service.capAdd,
    CapDrop: service.capDrop,
    ReadonlyRootfs: service.readOnly,
    ...(service.shmSizeBytes === null ? {} : { ShmSize: service.shmSizeBytes }),
    Ulimits: Object.entries(service.ulimits).map(([Name, { soft, hard }]) => ({ Name, Soft: soft, Hard: hard })),
    Sysctls: service.sysctls,
    Devices: service.devices.map(({ source, target, permissions }) => ({
      PathOnHost: source,
      PathInContainer: target,
      CgroupPermissions: permissions,
    })),
    Init: service.init,
    ExtraHosts: service.extraHosts.map(({ host, address }) => `${host}:${address}`),
    GroupAdd: service.groupAdd,
    // Left out when nothing is said: what was made before keeps its digest.
    ...(service.dns.servers.length === 0 ? {} : { Dns: service.dns.servers }),
  };
}

/** Names under which other services of the app reach this one in a network of it. */
export function aliasesOf(service: ServiceSpec, network: string): string[] {
  const attachment = service.networks.find((item) => item.network === network);
  return [service.name, ...(attachment?.aliases ?? [])];
}

/**
 * The Docker API's words for one service, made from image `image`. The same blueprint gives the same digest in the label
 * `orrery.spec`.
 */
export function containerSpec(blueprint: Blueprint, service: ServiceSpec, image: string, node: string): ContainerSpec {
  const { app } = blueprint;
  const first = service.networks[0];
  const healthcheck = toHealthcheck(service.healthcheck);
  const spec = {
    Image: image,
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
    ExposedPorts: toPorts(blueprint, service).exposed,
    HostConfig: hostConfig(blueprint, service),
    ...(first === undefined
      ? {}
      : {
          NetworkingConfig: {
            EndpointsConfig: { [networkName(app, first.network)]: { Aliases: aliasesOf(service, first.network) } },
          },
        }),
  };
  const labels = {
    ...service.labels,
    ...appLabels(node, app.id),
    [SERVICE_LABEL]: service.name,
    [SPEC_LABEL]: sha256Hex(JSON.stringify(spec)).slice(0, 32),
  };
  return { ...spec, Labels: labels };
}

/**
 * The same for a container that runs beside the app and that nobody reaches: without ports, networks and checks of its health, by no name
 * of the app's, and with other volumes of Docker in the place of those that `instead` names.
 */
export function aloneSpec(
  blueprint: Blueprint,
  service: ServiceSpec,
  image: string,
  node: string,
  instead: ReadonlyMap<string, string>,
): ContainerSpec {
  const { NetworkingConfig: _, ...spec } = containerSpec(blueprint, service, image, node);
  const Mounts = service.mounts.map((mount) => {
    const source = mount.kind === "volume" ? instead.get(mount.volume) : undefined;
    return { ...toMount(blueprint.app, mount), ...(source === undefined ? {} : { Source: source }) };
  });
  return {
    ...spec,
    ExposedPorts: {},
    Healthcheck: { Test: ["NONE"] },
    Labels: appLabels(node, blueprint.app.id),
    HostConfig: {
      ...hostConfig(blueprint, service),
      Mounts,
      PortBindings: {},
      RestartPolicy: { Name: "no" },
      NetworkMode: "none",
      ReadonlyRootfs: false,
      Init: false,
    },
  };
}

/** The digest in a spec's label. */
export function specDigest(spec: ContainerSpec): string {
  const labels = spec["Labels"];
  const digest = typeof labels === "object" && labels !== null && SPEC_LABEL in labels ? labels[SPEC_LABEL] : "";
  return typeof digest === "string" ? digest : "";
}
