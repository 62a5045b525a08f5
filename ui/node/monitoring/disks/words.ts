import type { DiskHealthEntry, PhysicalDisk } from "../../../../src/node/monitoring/disks/contract.ts";
import type { FilesystemEntry } from "../../../../src/node/monitoring/system/contract.ts";
import { duration } from "../../../client/format.ts";
import type { State } from "../../../kit/status.tsx";

/** The shape for a health status. */
export function stateOf(smart: PhysicalDisk["smart"]): State {
  if (!smart.available) return "unknown";
  if (smart.status === "Failing") return "crit";
  return smart.healthy === true ? "ok" : "warn";
}

const kinds: Record<string, string> = {
  sata: "SATA",
  sas: "SAS",
  nvme: "NVMe",
  usb: "USB",
  virtio: "virtual",
  xen: "virtual",
  hyperv: "virtual",
  mmc: "memory card",
  iscsi: "iSCSI",
  fc: "Fibre Channel",
  scsi: "SCSI",
};

/** What kind of disk it is, e.g. "SATA hard disk", "NVMe flash". */
export function kindOf({ transport, rotational }: PhysicalDisk): string {
  const way = transport === null ? "" : (kinds[transport] ?? transport);
  if (way === "virtual") return "Virtual disk";
  if (transport === "mmc") return "Memory card";
  return `${way} ${rotational ? "hard disk" : "flash disk"}`.trim();
}

/** How old the reading is, and why it is not newer: "read 12 min ago", "asleep, read 3 h ago". */
export function readingOf(health: DiskHealthEntry | undefined): string {
  if (health === undefined) return "";
  const asleep = health.state === "asleep" ? "asleep" : "";
  if (health.age_seconds === null) {
    return { asleep: "asleep, not read yet", virtual: "no reading", waiting: "waits for its first reading" }[
      health.state === "asleep" || health.state === "virtual" || health.state === "waiting" ? health.state : "virtual"
    ];
  }
  const read = health.age_seconds < 60 ? "read just now" : `read ${duration(health.age_seconds)} ago`;
  return asleep === "" ? read : `${asleep}, ${read}`;
}

/** Name of a disk below /dev, as the API takes it. */
export const nameOf = (device: string): string => device.replace(/^\/dev\//, "");

/** Bytes that can still be written to the filesystems mounted at `mounts`; null while none of them is known. */
export function freeOn(mounts: readonly string[], filesystems: readonly FilesystemEntry[] | null): number | null {
  const on = (filesystems ?? []).filter(({ mount_point }) => mounts.includes(mount_point));
  return on.length === 0 ? null : on.reduce((sum, { free_bytes }) => sum + free_bytes, 0);
}
