import { spendPorts } from "./budget.ts";
import type { ContainerPort, PublishedPort } from "./model.ts";
import {
  type Field,
  type Reading,
  readInteger,
  readList,
  readMap,
  readText,
  report,
  reportUnsupported,
} from "./reading.ts";

const MAX_PORT = 65_535;
const SHORT_FORM =
  /^(?:(?<ip>\[[0-9a-fA-F:]+\]|\d{1,3}(?:\.\d{1,3}){3}):)?(?:(?<host>\d+(?:-\d+)?)?:)?(?<container>\d+(?:-\d+)?)(?:\/(?<protocol>tcp|udp))?$/;

/** Ports of `expose:`, such as `3000`, `3000/udp` or `3000-3005`. */
export function readExpose(reading: Reading, field: Field): ContainerPort[] {
  return collectPorts(reading, field, (item): ContainerPort[] => {
    const text = readText(reading, item);
    if (text === null) return [];
    const match = /^(\d+(?:-\d+)?)(?:\/(tcp|udp))?$/.exec(text);
    const range = portRange(match?.[1]);
    if (range !== null) return range.map((container) => ({ container, protocol: protocolOf(match?.[2]) }));
    report(reading, item, `${text} is not a port`, "Write it like 8080 or 53/udp");
    return [];
  });
}

/** Ports of `ports:` in the short or the long form; ranges become one entry a port. */
export function readPorts(reading: Reading, field: Field): PublishedPort[] {
  return collectPorts(reading, field, (item) =>
    item.node.kind === "map" ? readLongPort(reading, item) : readShortPort(reading, item),
  );
}

/** The ports of all items. */
function collectPorts<Port>(reading: Reading, field: Field, read: (item: Field) => Port[]): Port[] {
  return readList(reading, field).flatMap((item) => {
    const ports = read(item);
    spendPorts(reading, item, ports.length);
    return ports;
  });
}

function readShortPort(reading: Reading, item: Field): PublishedPort[] {
  const text = readText(reading, item);
  if (text === null) return [];
  const parts = SHORT_FORM.exec(text)?.groups;
  const containers = portRange(parts?.["container"]);
  const hosts = parts?.["host"] === undefined ? [] : portRange(parts["host"]);
  if (containers === null || hosts === null || (hosts.length > 0 && hosts.length !== containers.length)) {
    report(reading, item, `${text} is not a published port`, 'Write it in quotes like "8080:80" or "53:53/udp"');
    return [];
  }
  const hostIp = parts?.["ip"]?.replace(/^\[|\]$/g, "") ?? null;
  const protocol = protocolOf(parts?.["protocol"]);
  return containers.map((container, index) => ({ container, protocol, host: hosts[index] ?? null, hostIp }));
}

function readLongPort(reading: Reading, item: Field): PublishedPort[] {
  let container: number | null = null;
  let host: number | null = null;
  let hostIp: string | null = null;
  let protocol: "tcp" | "udp" = "tcp";
  for (const [name, field] of readMap(reading, item)) {
    if (name === "target") container = readPort(reading, field);
    else if (name === "published") host = readPort(reading, field);
    else if (name === "host_ip") hostIp = readText(reading, field);
    else if (name === "protocol") protocol = readProtocol(reading, field);
    else if (name !== "name" && name !== "mode" && name !== "app_protocol")
      reportUnsupported(reading, field, undefined);
  }
  if (container === null) {
    report(reading, item, "no port inside the container", "Write target: with a port");
    return [];
  }
  return [{ container, protocol, host, hostIp }];
}

function readProtocol(reading: Reading, field: Field): "tcp" | "udp" {
  const text = readText(reading, field) ?? "tcp";
  if (text !== "tcp" && text !== "udp") report(reading, field, `${text} is not supported here`, "Use tcp or udp");
  return protocolOf(text);
}

function readPort(reading: Reading, field: Field): number | null {
  const port = readInteger(reading, field, 1);
  if (port === null || port <= MAX_PORT) return port;
  report(reading, field, `${port} is above ${MAX_PORT}`, "Write a port from 1 to 65535");
  return null;
}

function protocolOf(text: string | undefined): "tcp" | "udp" {
  return text === "udp" ? "udp" : "tcp";
}

/** All ports of `80` or `80-82`; `null` when a port is out of range or the range runs backwards. */
function portRange(text: string | undefined): number[] | null {
  if (text === undefined) return null;
  const [first = 0, last = first] = text.split("-").map(Number);
  if (first < 1 || last > MAX_PORT || last < first) return null;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
