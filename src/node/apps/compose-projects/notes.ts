import { BRIDGE_OPTION, type ComposeProject, type PublishedPort, type ServiceSpec } from "../compose/index.ts";
import { nameOf } from "../containers/index.ts";
import type { ContainerSummary } from "../runtime/index.ts";
import { networkNameOf, sourceOf, type Target } from "./container-request.ts";
import type { PlanNote } from "./contract.ts";
import { forwardsIpv6 } from "./network-options.ts";

const LOOPBACK = /^(127\.|::1$)/;

const portText = ({ host, container, protocol }: PublishedPort): string =>
  `${host ?? "a free port"} → ${container}${protocol === "udp" ? "/udp" : ""}`;

/** Many ports in a row are a range of telephony or games: the first ones tell enough. */
function listPorts(ports: readonly PublishedPort[]): string {
  const [shown, rest] = [ports.slice(0, 8), ports.slice(8)];
  return `${shown.map(portText).join(", ")}${rest.length === 0 ? "" : ` and ${rest.length} more`}`;
}

function notePorts({ name, ports }: ServiceSpec): string[] {
  const isEverywhere = ({ hostIp }: PublishedPort) => hostIp === null || hostIp === "0.0.0.0" || hostIp === "::";
  const open = ports.filter(isEverywhere);
  const bound = ports.filter((port) => !isEverywhere(port) && !LOOPBACK.test(port.hostIp ?? ""));
  const words = [];
  if (open.length > 0) {
    words.push(
      `${name} is open to others at all addresses of this server, also past a firewall such as ufw: ${listPorts(open)}. Write 127.0.0.1: before a port to keep it to this server.`,
    );
  }
  for (const [address, list] of Map.groupBy(bound, ({ hostIp }) => hostIp ?? "")) {
    words.push(`${name} is open to whoever reaches ${address}: ${listPorts(list)}.`);
  }
  return words;
}

function noteLogging({ name, logging }: ServiceSpec): string[] {
  if (logging === null) return [];
  if (logging.driver === "none") return [`${name} keeps no log: nothing of it can be read here.`];
  const isBounded = logging.driver === "journald" || "max-size" in logging.options || logging.driver === "local";
  return isBounded ? [] : [`The log of ${name} grows without an end. Write max-size below options: to bound it.`];
}

function noteFolders(target: Target, { name, mounts }: ServiceSpec): string[] {
  return mounts.flatMap((mount) =>
    mount.kind === "bind" && !mount.mustExist && mount.source.startsWith("./")
      ? [`${name} uses ${sourceOf(target, mount.source)}, which is made empty where it is not there.`]
      : [],
  );
}

const GIB = 2 ** 30;
/** What a container keeps in memory beyond this is felt by most servers. */
const MUCH_MEMORY = 8 * GIB;
/** Docker's own share of the processor. */
const PLAIN_SHARES = 1024;

/** What others go short of: without a limit of its own, a container may take it all in any case, but says nothing of it. */
function noteShares({ name, mounts, shmSizeBytes, limits, further }: ServiceSpec): string[] {
  const inMemory = mounts.flatMap((mount) =>
    mount.kind === "tmpfs" ? [[mount.target, mount.sizeBytes] as const] : [],
  );
  const places = [["/dev/shm", shmSizeBytes] as const, ...inMemory].flatMap(([place, size]) => {
    const most = Math.min(size ?? 0, limits.memoryBytes ?? Number.POSITIVE_INFINITY);
    return most > MUCH_MEMORY
      ? [`${name} may fill ${Math.round(most / GIB)} GiB of this server's memory at ${place}.`]
      : [];
  });
  const share = Number(further["cpu_shares"] ?? 0) / PLAIN_SHARES;
  if (share <= 1) return places;
  return [...places, `${name} gets up to ${Math.ceil(share)} times the time of others when the processor is busy.`];
}

function noteNetworks({ project }: Target, { name, networks }: ServiceSpec): string[] {
  return networks.flatMap(({ network }) => {
    const spec = project.networks.find((each) => each.name === network);
    if (spec?.isExternal)
      return [
        `${name} joins the network ${spec.engineName}, which is not of this project: it and what is in there reach each other.`,
      ];
    const bridge = spec?.driverOpts[BRIDGE_OPTION];
    return bridge === undefined
      ? []
      : [
          `${name} is on the bridge ${bridge} of this server. Where there is one of that name already, it and what is on there reach each other.`,
        ];
  });
}

/** What is worth knowing before a deploy and needs no confirmation. */
export function listNotes(target: Target): PlanNote[] {
  const { services, idle }: ComposeProject = target.project;
  const notes = services.flatMap((service) => {
    const names =
      service.dns.servers.length === 0 ? [] : [`${service.name} asks ${service.dns.servers.join(", ")} for names.`];
    const words = [
      ...notePorts(service),
      ...noteFolders(target, service),
      ...noteLogging(service),
      ...noteNetworks(target, service),
      ...noteShares(service),
      ...names,
    ];
    return words.map((text) => ({ service: service.name, text }));
  });
  const asleep = idle.map(({ name, profiles }) => ({
    service: name,
    text: `${name} does not run: none of its profiles (${profiles.join(", ")}) is in COMPOSE_PROFILES of .env.`,
  }));
  return [...notes, ...asleep];
}

/** What Docker sees to for a network of the project, and finds as it has to be. */
export function noteNetworkSettings(target: Target, seen: Parameters<typeof forwardsIpv6>[0]): PlanNote[] {
  const named = target.project.networks.filter(({ hasIpv6 }) => hasIpv6).map(({ name }) => networkNameOf(target, name));
  if (named.length === 0 || !forwardsIpv6(seen)) return [];
  const text = `IPv6 for ${named.join(", ")} changes nothing of this server: it passes IPv6 on between its networks already.`;
  return [{ service: "", text }];
}

/** Says which containers are left alone though their images say that they are of the project: images may say anything. */
export function noteClaims(project: string, containers: readonly ContainerSummary[]): PlanNote[] {
  const names = containers.filter(({ Claimed }) => Claimed === project).map(nameOf);
  if (names.length === 0) return [];
  const [shown, rest] = [names.slice(0, 8).join(", "), names.length - 8];
  const all = rest > 0 ? `${shown} and ${rest} more` : shown;
  return [{ service: "", text: `Left alone, because only their images say that they are of this project: ${all}.` }];
}
