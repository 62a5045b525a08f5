import type { SnapshotPart } from "../engine/index.ts";
import type { Load } from "./load-dump.ts";
import type { Own } from "./needs.ts";

/** What stays free of the node's own disk while databases are opened on it. */
const LEAST_FREE = 256 * 1024 * 1024;

/** How many bytes may be written next to the node's data; as many as one likes where that cannot be told. */
export async function roomFor({ host, config }: Pick<Own, "host" | "config">): Promise<number> {
  const space = await host.ownSpace(config.data_dir);
  return space === null ? Number.MAX_SAFE_INTEGER : Math.max(0, space.free - LEAST_FREE);
}

type Placed = Pick<Own, "host" | "config" | "runtime">;

/** The disk where Docker keeps volumes, or where the node's data is if that is hidden; null: that cannot be told. */
async function dockerDisk({ host, config, runtime }: Placed) {
  const root = runtime.facts()?.root_dir;
  return (root ? await host.space(root) : null) ?? (await host.ownSpace(config.data_dir));
}

/** How many bytes are free on that disk; null: that cannot be told. */
export const dockerRoom = async (own: Placed): Promise<number | null> => (await dockerDisk(own))?.free ?? null;

/** Disks that pack what they have hold more than they have room for, but not so many times. */
const PACKED = 4;

/** More bytes than a volume can have on that disk, unless most of them are holes. */
export const mostOfVolume = async (own: Placed): Promise<number> =>
  ((await dockerDisk(own))?.total ?? Number.POSITIVE_INFINITY) * PACKED;

/**
 * How many bytes have to be free where Docker keeps volumes while parts of an app come back in place of `goes` bytes of it. Databases are
 * loaded from dumps first, beside all that is there, and stay beside what they are copied to until all is in its place.
 */
export function roomToRestore(
  parts: readonly SnapshotPart[],
  loads: readonly Pick<Load, "part" | "volumes">[],
  goes: number,
): number {
  const sum = (some: readonly SnapshotPart[]) => some.reduce((total, { size }) => total + size, 0);
  const volumes = parts.filter(({ kind }) => kind === "volume");
  // The copy of a database's files tells best how large it becomes.
  const loaded = loads.reduce(
    (total, { part, volumes: filled }) =>
      total + Math.max(part.size, sum(volumes.filter(({ name }) => filled.includes(name)))),
    0,
  );
  const whileLoading = loaded + sum(loads.map(({ part }) => part));
  return Math.max(whileLoading, sum(volumes) + loaded - goes);
}

/** Bytes in words. */
export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
