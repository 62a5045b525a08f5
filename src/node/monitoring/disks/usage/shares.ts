import type { BlockDevice, BlockDevices } from "../../../machine/index.ts";

/** How many bytes of a disk one byte of a volume takes, for every disk it lies on. */
export type Shares = ReadonlyMap<string, number>;

/** Deeper than any real stack; a broken tree must not keep us busy. */
const MAX_DEPTH = 12;
/** Members of a mirrored or striped logical volume; their metadata twins hold nothing of the user's. */
const LEG = /_[rm]image_\d+$/;
const LEG_METADATA = /_rmeta_\d+$/;

/** Adds up shares, each times its factor. */
export function mixShares(parts: readonly { shares: Shares; factor: number }[]): Shares {
  const sum = new Map<string, number>();
  for (const { shares, factor } of parts) {
    for (const [disk, share] of shares) sum.set(disk, (sum.get(disk) ?? 0) + share * factor);
  }
  return sum;
}

/**
 * What each member holds of one byte. An array's members hold as much as their size is of its own: all of it in a mirror,
 * half in a stripe of two, half again in a RAID 5 of three. A logical volume can lie anywhere on its members, so they count
 * by size.
 */
function memberFactors(device: BlockDevice, members: readonly BlockDevice[]): number[] {
  const isArray = device.name.startsWith("md") || members.some(({ mapped }) => LEG.test(mapped ?? ""));
  const total = isArray ? device.size_bytes : members.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return members.map(({ size_bytes }) => (total > 0 ? Math.min(1, size_bytes / total) : 1 / members.length));
}

/** The disks below a device; empty for one that lies on none, such as a loop device. */
export function sharesOf(devices: BlockDevices, name: string, depth = 0): Shares {
  const device = devices.get(name);
  if (!device || depth > MAX_DEPTH) return new Map();
  if (device.disk !== null) return sharesOf(devices, device.disk, depth + 1);
  if (device.slaves.length === 0) return new Map([[name, 1]]);
  const members = device.slaves
    .map((slave) => devices.get(slave))
    .filter((member) => member !== undefined)
    .filter(({ mapped }) => !LEG_METADATA.test(mapped ?? ""));
  const factors = memberFactors(device, members);
  return mixShares(
    members.map((member, index) => ({
      shares: sharesOf(devices, member.name, depth + 1),
      factor: factors[index] ?? 0,
    })),
  );
}

/** Shares of several devices that are filled evenly, by their size. */
export function sharesBySize(devices: BlockDevices, names: readonly string[]): Shares {
  const sizes = names.map((name) => devices.get(name)?.size_bytes ?? 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return mixShares(
    names.map((name, index) => ({
      shares: sharesOf(devices, name),
      factor: total > 0 ? (sizes[index] ?? 0) / total : 1 / names.length,
    })),
  );
}
