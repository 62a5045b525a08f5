import { readFile } from "node:fs/promises";
import { parseAddress } from "../../kernel/outgoing/address.ts";
import { parseSocketAddress } from "./held-ports.ts";

/** The two ends of a connection of this program. */
export interface ConnectionEnds {
  localPort?: number | undefined;
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
}

/** Our own tables: of the network that this program is in, wherever the host's files are seen. */
const TABLES = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];

const hexPort = (port = 0): string => port.toString(16).toUpperCase().padStart(4, "0");

/** The lines of a table that have a port of ours in them. A busy server has ten thousand lines, so the others are not looked at. */
function* linesWith(table: string, port: string): Iterable<string> {
  for (let at = table.indexOf(port); at !== -1; at = table.indexOf(port, at + 1)) {
    const end = table.indexOf("\n", at);
    yield table.slice(table.lastIndexOf("\n", at) + 1, end === -1 ? table.length : end);
  }
}

/**
 * Bytes that the kernel holds for a connection because the machine at its other end has not confirmed them yet, by the text of a
 * `/proc/net/tcp` table; null when the connection is not in it.
 */
export function findUnconfirmed(
  table: string,
  { localPort, remoteAddress, remotePort }: ConnectionEnds,
): number | null {
  // An address has several spellings.
  const place = parseAddress(remoteAddress ?? "")?.value;
  const [own, other] = [hexPort(localPort), hexPort(remotePort)];
  for (const line of linesWith(table, `:${own} `)) {
    const [, local = "", remote = "", , queues = ""] = line.trim().split(/\s+/, 5);
    const [address = "", port] = remote.split(":");
    if (!local.endsWith(`:${own}`) || port !== other) continue;
    if (parseAddress(parseSocketAddress(address))?.value === place) return Number.parseInt(queues, 16);
  }
  return null;
}

/** The same as the kernel says now; null where it does not say, as of a connection that has ended. */
export async function readUnconfirmed(ends: ConnectionEnds): Promise<number | null> {
  for (const path of TABLES) {
    const table = await readFile(path, "utf8").catch(() => "");
    const found = findUnconfirmed(table, ends);
    if (found !== null) return found;
  }
  return null;
}
