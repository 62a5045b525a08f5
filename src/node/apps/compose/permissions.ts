import { posix } from "node:path";
import type { ComposeProject, ServiceSpec, VolumeSpec } from "./model.ts";

/** Something outside its own containers that an app would reach; the admin confirms it before the install. */
export interface RequiredPermission {
  /** `privileged`, `host_network`, `host_processes`, `docker_socket`, `host_path:/x`, `device:/dev/x`, `mounted_volume:x`, `foreign_volume:x`, `host_ipc`, `host_names`, `host_users`, `device_rules`, `oom_score_adj`, `oom_kill_disable`, `runtime:x`, `annotation:x`, `capability:X` or `security_opt:x`. */
  readonly id: string;
  readonly service: string;
}

/** What a project needs from its host beyond containers, networks and volumes of its own, without repeats. */
export function requiredPermissions(project: ComposeProject): RequiredPermission[] {
  const found = new Map<string, RequiredPermission>();
  for (const service of project.services) {
    for (const id of permissionIds(service, project.volumes)) {
      if (!found.has(id)) found.set(id, { id, service: service.name });
    }
  }
  return [...found.values()];
}

function permissionIds(service: ServiceSpec, volumes: readonly VolumeSpec[]): string[] {
  const mounts = service.mounts.flatMap((mount) => {
    if (mount.kind === "tmpfs") return [];
    if (mount.kind === "bind") return pathIds(mount.source, mount.isReadOnly);
    return volumes.filter(({ name }) => name === mount.volume).flatMap(volumeIds);
  });
  return [
    ...(service.privileged ? ["privileged"] : []),
    ...(service.networkMode === "host" ? ["host_network"] : []),
    ...(service.pidMode === "host" ? ["host_processes"] : []),
    ...(service.further["ipc"] === "host" ? ["host_ipc"] : []),
    ...(service.further["uts"] === "host" ? ["host_names"] : []),
    ...(service.further["userns_mode"] === "host" ? ["host_users"] : []),
    ...("device_cgroup_rules" in service.further ? ["device_rules"] : []),
    ...(Number(service.further["oom_score_adj"] ?? 0) < 0 ? ["oom_score_adj"] : []),
    ...(service.further["oom_kill_disable"] === true ? ["oom_kill_disable"] : []),
    ...runtimeIds(service),
    ...mounts,
    ...service.devices.map((device) => `device:${device.source}`),
    ...service.capAdd.filter((name) => !DEFAULT_CAPABILITIES.has(name)).map((name) => `capability:${name}`),
    ...service.securityOpt.filter((option) => !HARMLESS_OPTIONS.has(option)).map((option) => `security_opt:${option}`),
  ];
}

/** What another runtime does with a container, and what any makes of words that are for it alone, is not ours to know. */
function runtimeIds({ further: { runtime, annotations } }: ServiceSpec): string[] {
  const isOther = typeof runtime === "string" && !DEFAULT_RUNTIMES.has(runtime);
  return [
    ...(isOther ? [`runtime:${runtime}`] : []),
    ...Object.keys(annotations ?? {}).map((name) => `annotation:${name}`),
  ];
}

function pathIds(source: string, isReadOnly = false): string[] {
  // What lies in the project's own folder is the project's.
  if ((isReadOnly && HARMLESS_PATHS.has(source)) || source.startsWith("./")) return [];
  return isDockerSocket(source) ? ["docker_socket"] : [`host_path:${source}`];
}

/** What a volume with options reaches: they are those of `mount`, by which a folder or a disk of the host becomes a volume. */
function volumeIds({ name, driverOpts, isExternal, engineName }: VolumeSpec): string[] {
  if (isExternal) return [`foreign_volume:${engineName ?? name}`];
  const { type = "", device = "", o: options = "" } = driverOpts;
  const isElsewhere = type === "tmpfs" || /^(nfs4?|cifs)$/.test(type);
  if (device === "" && options === "") return [];
  if (/(^|,)\s*r?bind\s*(,|$)/.test(options)) return pathIds(device.startsWith("/") ? device : `/${device}`);
  return isElsewhere ? [] : [`mounted_volume:${name}`];
}

/** A folder that holds the socket gives it away too. */
function isDockerSocket(source: string): boolean {
  const path = posix.normalize(source).replace(/(.)\/$/, "$1");
  return (
    ["/", "/var", "/run", "/var/run"].includes(path) || /\/(docker|containerd|podman)(\.sock|\/.*sock)?$/.test(path)
  );
}

/** Read by many images for the time zone; tell nothing else. Whoever may write to them changes those of the server. */
const HARMLESS_PATHS: ReadonlySet<string> = new Set(["/etc/localtime", "/etc/timezone"]);
/** What Docker takes by itself; no setting of the engine gives another meaning to them. */
const DEFAULT_RUNTIMES: ReadonlySet<string> = new Set(["runc", "io.containerd.runc.v2"]);
const HARMLESS_OPTIONS: ReadonlySet<string> = new Set([
  "no-new-privileges",
  "no-new-privileges:true",
  "no-new-privileges=true",
]);

/** Given by Docker to every container, so that `cap_drop: [ALL]` with some of these back is less than the default. */
const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "NET_RAW",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);
