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

const portOf = (hex: string): number => Number.parseInt(hex, 16);

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
  for (const line of table.split("\n")) {
    const [, local = "", remote = "", , queues = ""] = line.trim().split(/\s+/, 5);
    const [address = "", port = ""] = remote.split(":");
    const isMeant = portOf(local.split(":")[1] ?? "") === localPort && portOf(port) === remotePort;
    if (!isMeant || parseAddress(parseSocketAddress(address))?.value !== place) continue;
    return Number.parseInt(queues.split(":")[0] ?? "", 16);
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
