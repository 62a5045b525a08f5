import type { ComposeProject, ServiceSpec } from "./model.ts";

/** Something outside its own containers that an app would reach; the admin confirms it before the install. */
export interface RequiredPermission {
  /** `docker_socket`, `host_path:/x`, `device:/dev/x`, `capability:X` or `security_opt:x`. */
  readonly id: string;
  readonly service: string;
}

/** What a project needs from its host beyond containers, networks and volumes of its own, without repeats. */
export function requiredPermissions(project: ComposeProject): RequiredPermission[] {
  const found = new Map<string, RequiredPermission>();
  for (const service of project.services) {
    for (const id of permissionIds(service)) {
      if (!found.has(id)) found.set(id, { id, service: service.name });
    }
  }
  return [...found.values()];
}

function permissionIds(service: ServiceSpec): string[] {
  const mounts = service.mounts.flatMap((mount) => {
    if (mount.kind !== "bind" || HARMLESS_PATHS.has(mount.source)) return [];
    return isDockerSocket(mount.source) ? ["docker_socket"] : [`host_path:${mount.source}`];
  });
  return [
    ...mounts,
    ...service.devices.map((device) => `device:${device.source}`),
    ...service.capAdd.filter((name) => !DEFAULT_CAPABILITIES.has(name)).map((name) => `capability:${name}`),
    ...service.securityOpt.filter((option) => !HARMLESS_OPTIONS.has(option)).map((option) => `security_opt:${option}`),
  ];
}

/** A folder that holds the socket gives it away too. */
function isDockerSocket(source: string): boolean {
  const path = source.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
  return (
    ["/", "/var", "/run", "/var/run"].includes(path) || /\/(docker|containerd|podman)(\.sock|\/.*sock)?$/.test(path)
  );
}

/** Read by many images for the time zone; tell nothing else. */
const HARMLESS_PATHS: ReadonlySet<string> = new Set(["/etc/localtime", "/etc/timezone"]);
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
