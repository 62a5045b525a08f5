import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../../lib/digest.ts";
import type { NodeContext } from "../../context.ts";

/** Read by anybody, so that the command line and the service tell the same. */
const BOARD = ["sys_vendor", "product_name", "board_name"];

/**
 * What makes this hardware this one, as SHA-256: the installation's id, the board, and the addresses of its network cards. A
 * copy of the disk in another machine tells another one.
 */
export function hardwareFingerprint({ config, host }: Pick<NodeContext, "config" | "host">): string {
  const board = BOARD.map((file) => readLine(join(config.host_root, "sys/class/dmi/id", file)));
  const cards = host.interfaces().flatMap(({ kind, mac }) => (kind === "ethernet" && mac !== null ? [mac] : []));
  return sha256Hex(JSON.stringify([host.machineId(), board, cards.sort()]));
}

/** Empty when the file is not there. */
function readLine(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
