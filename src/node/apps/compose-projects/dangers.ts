import { type ComposeProject, requiredPermissions, type ServiceSpec } from "../compose/index.ts";
import type { PlanDanger } from "./contract.ts";

/** What a thing by its kind means, with its name. */
const WORDS: Readonly<Record<string, (service: string, name: string) => string>> = {
  privileged: (service) => `${service} is privileged: whoever takes it over has this whole server.`,
  host_network: (service) =>
    `${service} uses the network of this server: it reaches every local service, and its ports are open as the server's are.`,
  host_processes: (service) => `${service} sees and signals all processes of this server.`,
  docker_socket: (service) =>
    `${service} reaches the Docker Engine or the folder that its socket lies in: that is control over this whole server.`,
  host_path: (service, path) => `${service} reads the folder ${path} of this server, and may write to it.`,
  read_only_path: (service, path) => `${service} reads the folder ${path} of this server; it may not write to it.`,
  mounted_volume: (service, volume) =>
    `${service} has the volume ${volume}, whose options mount something of this server: it reads that, and may write to it.`,
  foreign_volume: (service, volume) =>
    `${service} uses the volume ${volume}, which is not of this project: it reads what is in it, and may change it.`,
  host_ipc: (service) => `${service} shares memory with all programs of this server.`,
  host_names: (service) => `${service} may change the host name of this server.`,
  host_users: (service) =>
    `${service} runs as the users of this server, also where containers have users of their own.`,
  device_rules: (service) => `${service} may use kinds of devices of this server that come later.`,
  oom_score_adj: (service) =>
    `${service} is spared when memory runs out: other programs of this server are ended in its place.`,
  oom_kill_disable: (service) =>
    `${service} is not ended when its memory runs out: what waits for it on this server may stand still.`,
  runtime: (service, name) =>
    `${service} is run by ${name} in place of Docker's own runtime: how it is kept apart from this server is up to that.`,
  annotation: (service, name) =>
    `${service} tells the runtime ${name}, by which it may change how the container is kept apart from this server.`,
  device: (service, path) => `${service} uses the device ${path} of this server.`,
  capability: (service, name) => `${service} gets the power ${name}, which containers do not have by themselves.`,
  security_opt: (service, option) =>
    `${service} runs with ${option}, which changes how it is kept apart from this server.`,
};

/** What the containers of a project could do to the server, in plain words; once for each service. */
export function listDangers(project: ComposeProject): PlanDanger[] {
  return project.services.flatMap((service) => {
    const written = new Set(listIds(project, { ...service, mounts: service.mounts.filter(isWritten) }));
    return listIds(project, service).map((id) => {
      const [kind = "", ...rest] = id.split(":");
      const known = kind === "host_path" && !written.has(id) ? "read_only_path" : kind;
      const words = Object.hasOwn(WORDS, known) ? WORDS[known] : undefined;
      const text = words?.(service.name, rest.join(":")) ?? `${service.name} needs ${id} of this server.`;
      return { id: `${service.name}/${id}`, service: service.name, text };
    });
  });
}

const listIds = (project: ComposeProject, service: ServiceSpec): string[] =>
  requiredPermissions({ ...project, services: [service] }).map(({ id }) => id);

const isWritten = (mount: ServiceSpec["mounts"][number]): boolean => mount.kind === "tmpfs" || !mount.isReadOnly;
