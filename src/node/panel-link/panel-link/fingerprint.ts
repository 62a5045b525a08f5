import { sha256Hex } from "../../../lib/digest.ts";
import { readFirmware } from "../../machine/index.ts";
import type { Needs } from "./needs.ts";

/** Read by anybody, so that the command line and the service tell the same. */
const BOARD = ["sys_vendor", "product_name", "board_name"];

/**
 * What makes this hardware this one, as SHA-256: the installation's id, the board, and the addresses of its network cards. A
 * copy of the disk in another machine tells another one.
 */
export function hardwareFingerprint({ config, host }: Pick<Needs, "config" | "host">): string {
  const board = BOARD.map((file) => readFirmware(config.host_root, file));
  const cards = host.interfaces().flatMap(({ kind, mac }) => (kind === "ethernet" && mac !== null ? [mac] : []));
  return sha256Hex(JSON.stringify([host.machineId(), board, cards.sort()]));
}
