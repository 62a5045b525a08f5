import { join } from "node:path";
import { readText } from "../proc-file.ts";
import type { BlockDevice } from "./devices.ts";
import { readUdev } from "./udev.ts";

/** What a disk is, from what the kernel and udev remember; asking for it never wakes a disk. */
export interface DiskIdentity {
  model: string | null;
  serial: string | null;
  /** World wide name, the best way to know a disk again. */
  wwn: string | null;
  rotational: boolean;
  /** `sata`, `sas`, `usb`, `nvme`, `virtio`, `mmc`, …; null when the tree does not tell. */
  transport: string | null;
  /** A disk that a hypervisor pretends. */
  isVirtual: boolean;
}

const TRANSPORTS: readonly (readonly [RegExp, string])[] = [
  [/\/usb\d+\//, "usb"],
  [/\/nvme\d+\//, "nvme"],
  [/\/nvme-subsystem\//, "nvme"],
  [/\/virtio\d+\//, "virtio"],
  [/\/ata\d+\//, "sata"],
  [/\/mmc\d+:/, "mmc"],
  [/\/(end_device|sas_port|port)-\d+:/, "sas"],
  [/\/session\d+\//, "iscsi"],
  [/\/rport-\d+:/, "fc"],
  [/\/(vbd|xen-blkfront)-/, "xen"],
  [/\/vmbus/i, "hyperv"],
  [/\/host\d+\/target/, "scsi"],
];

const VIRTUAL_NAME = /\b(QEMU|VBOX|VMWARE|MSFT|VIRTUAL|IET|LIO-ORG)\b/i;
const VIRTUAL_TRANSPORTS = new Set(["virtio", "xen", "hyperv", "iscsi"]);

/** udev writes blanks in `*_ENC` values as `\x20`. */
const decodeUdev = (text: string | undefined): string | undefined =>
  text?.replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The first text with something in it. */
function firstOf(...texts: (string | null | undefined)[]): string | null {
  for (const text of texts) {
    const clean = text?.replaceAll("\0", "").trim();
    if (clean) return clean;
  }
  return null;
}

/** The vital product data page that holds a SCSI disk's serial number, behind four bytes of head. */
function serialOfPage(text: string | null): string | null {
  return text === null ? null : firstOf(text.slice(4));
}

const wwnOf = (text: string | null | undefined): string | null =>
  firstOf(text)
    ?.replace(/^(naa\.|eui\.|nvme\.|0x)/, "")
    .toLowerCase() ?? null;

/** Reads who a disk is; `root` is where the host's files are seen. */
export function readIdentity(root: string, { path, dev, name }: BlockDevice): DiskIdentity {
  const file = (part: string) => readText(join(path, part));
  const udev = readUdev(root, dev);
  const vendor = firstOf(file("device/vendor"), udev.get("ID_VENDOR"));
  const ownModel = firstOf(decodeUdev(udev.get("ID_MODEL_ENC")), file("device/model"), file("device/name"));
  // The vendor of disks behind an ATA bridge is only the word ATA; numbers stand for vendors of the bus.
  const hasVendor = vendor !== null && !/^(ATA|NVMe|0x[0-9a-f]+)$/i.test(vendor) && !ownModel?.startsWith(vendor);
  const model = ownModel !== null && hasVendor ? `${vendor} ${ownModel}` : ownModel;
  const transport = TRANSPORTS.find(([pattern]) => pattern.test(`${path}/`))?.[1] ?? null;
  const isNamedVirtual = VIRTUAL_NAME.test(`${vendor ?? ""} ${model ?? ""}`);
  return {
    model,
    serial: firstOf(
      udev.get("ID_SERIAL_SHORT"),
      file("device/serial"),
      file("serial"),
      serialOfPage(file("device/vpd_pg80")),
    ),
    wwn: wwnOf(firstOf(file("wwid"), file("device/wwid"), udev.get("ID_WWN"))),
    rotational: file("queue/rotational") === "1",
    transport,
    isVirtual: isNamedVirtual || /^x?vd[a-z]/.test(name) || VIRTUAL_TRANSPORTS.has(transport ?? ""),
  };
}

/** The name by which readings of a disk are kept: its own where it has one, else its place and looks. */
export function keyOf({ wwn, serial, model }: DiskIdentity, { name, size_bytes }: BlockDevice): string {
  if (wwn !== null) return `wwn:${wwn}`;
  if (serial !== null) return `serial:${model ?? ""}:${serial}`;
  return `place:${name}:${model ?? ""}:${size_bytes}`;
}
