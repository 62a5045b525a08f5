/** Bytes that one block device moved since boot. */
export interface DiskCounter {
  name: string;
  read: number;
  written: number;
}

/** The kernel counts in these, whatever the disk's own sectors are. */
const SECTOR_BYTES = 512;

/** Reads `/proc/diskstats`; the columns used are the same in all of its 14, 18 and 20 column forms. */
export function parseDiskstats(text: string): DiskCounter[] {
  const counters: DiskCounter[] = [];
  for (const line of text.split("\n")) {
    const columns = line.trim().split(/ +/, 10);
    const name = columns[2];
    if (name === undefined) continue;
    counters.push({
      name,
      read: Number(columns[5] ?? 0) * SECTOR_BYTES,
      written: Number(columns[9] ?? 0) * SECTOR_BYTES,
    });
  }
  return counters;
}

// These have a device behind them and still are no disks of their own: optical and floppy drives, boot areas of eMMC
// chips, and the single paths of a multipath NVMe disk.
const NOT_A_DISK = /^(sr\d|fd\d|mmcblk\d+(boot|rpmb)|nvme\d+c\d+n)/;

/** True when a name of `/sys/block` that has a device behind it is a whole disk. */
export function isDiskName(name: string): boolean {
  return !NOT_A_DISK.test(name);
}
