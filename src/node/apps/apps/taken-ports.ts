import { readFileSync } from "node:fs";
import type { NodeContext } from "../../context.ts";
import { parseSocketTable, portKey } from "./ports.ts";
import { listAllPorts } from "./store.ts";

const TABLES = [
  ["/proc/net/tcp", "tcp"],
  ["/proc/net/tcp6", "tcp"],
  ["/proc/net/udp", "udp"],
  ["/proc/net/udp6", "udp"],
] as const;

function readTable(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // A kernel without IPv6 has no such file.
    return "";
  }
}

/** Keys of all ports that some program on this host holds right now. */
export function portsInUse(): Set<string> {
  return new Set(
    TABLES.flatMap(([path, protocol]) =>
      parseSocketTable(readTable(path), protocol).map((port) => portKey(port, protocol)),
    ),
  );
}

/**
 * Keys of all ports that a new app cannot have: held on the host, published by any container, or reserved for another
 * app that may be stopped. Those of `exceptAppId` do not count.
 */
export async function takenPorts(
  { db, runtime }: Pick<NodeContext, "db" | "runtime">,
  exceptAppId: string | null,
): Promise<Set<string>> {
  const published = (await runtime.engine()?.listContainers({})) ?? [];
  const reserved = listAllPorts(db);
  const own = new Set(
    reserved.filter((row) => row.app_id === exceptAppId).map((row) => portKey(row.host, row.protocol)),
  );
  const others = [
    ...portsInUse(),
    ...published.flatMap(({ Ports }) =>
      (Ports ?? []).flatMap((port) => (port.PublicPort ? [portKey(port.PublicPort, port.Type)] : [])),
    ),
  ].filter((key) => !own.has(key));
  return new Set([
    ...others,
    ...reserved.filter((row) => row.app_id !== exceptAppId).map((row) => portKey(row.host, row.protocol)),
  ]);
}
