import type { Scanner } from "./scanner.ts";

/** Bytes that one block device moved since boot. */
export interface DiskCounter {
  name: string;
  read: number;
  written: number;
}

/** The kernel counts in these, whatever the disk's own sectors are. */
const SECTOR_BYTES = 512;

/** A name that stood on a line before, and whether its counters are wanted. */
interface KnownName {
  bytes: Uint8Array;
  name: string;
  isWanted: boolean;
}

/** Reads `/proc/diskstats` again and again. */
export interface DiskstatsReader {
  /** The counters of the wanted devices. */
  read(scanner: Scanner | null): DiskCounter[];
  /** Asks `isWanted` anew: what is behind a name may have changed. */
  forget(): void;
}

/**
 * A reader of `/proc/diskstats` that gives the devices that `isWanted` names; the columns used are the same in all of its
 * 14, 18 and 20 column forms. The lines keep their order while no device comes or goes, so that each is compared with what
 * stood there before and a name is made, and asked for, once.
 */
export function createDiskstatsReader(isWanted: (name: string) => boolean): DiskstatsReader {
  let known: KnownName[] = [];

  function nameAt(line: number, scanner: Scanner): KnownName | null {
    const before = known[line];
    if (before && scanner.takes(before.bytes)) return before;
    const name = scanner.word();
    if (name === "") return null;
    const entry = { bytes: Buffer.from(name, "latin1"), name, isWanted: isWanted(name) };
    known[line] = entry;
    return entry;
  }

  return {
    read(scanner) {
      const counters: DiskCounter[] = [];
      if (!scanner) return counters;
      let line = 0;
      do {
        const entry = scanner.skipWords(2) ? nameAt(line, scanner) : null;
        line += 1;
        if (!entry?.isWanted) continue;
        scanner.skipWords(2);
        const read = scanner.number();
        scanner.skipWords(3);
        const written = scanner.number();
        counters.push({
          name: entry.name,
          read: Math.max(0, read) * SECTOR_BYTES,
          written: Math.max(0, written) * SECTOR_BYTES,
        });
      } while (scanner.nextLine());
      return counters;
    },
    forget() {
      known = [];
    },
  };
}

// These have a device behind them and still are no disks of their own: optical and floppy drives, boot areas of eMMC
// chips, and the single paths of a multipath NVMe disk.
const NOT_A_DISK = /^(sr\d|fd\d|mmcblk\d+(boot|rpmb)|nvme\d+c\d+n)/;

/** True when a name of `/sys/block` that has a device behind it is a whole disk. */
export function isDiskName(name: string): boolean {
  return !NOT_A_DISK.test(name);
}
