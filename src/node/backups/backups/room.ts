import type { Own } from "./needs.ts";

/** What stays free of the node's own disk while databases are opened on it. */
const LEAST_FREE = 256 * 1024 * 1024;

/** How many bytes may be written next to the node's data; as many as one likes where that cannot be told. */
export async function roomFor({ host, config }: Pick<Own, "host" | "config">): Promise<number> {
  const space = await host.ownSpace(config.data_dir);
  return space === null ? Number.MAX_SAFE_INTEGER : Math.max(0, space.free - LEAST_FREE);
}

/** How many bytes are free where Docker keeps volumes, or where the node's data is if that is hidden; null: that cannot be told. */
export async function dockerRoom({
  host,
  config,
  runtime,
}: Pick<Own, "host" | "config" | "runtime">): Promise<number | null> {
  const root = runtime.facts()?.root_dir;
  const space = (root ? await host.space(root) : null) ?? (await host.ownSpace(config.data_dir));
  return space?.free ?? null;
}

/** Bytes in words. */
export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
