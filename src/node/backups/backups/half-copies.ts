/** Copies of apps of which not all was there: they take the place of no whole one, and whoever puts one back is told before. */
import type { Snapshot, SnapshotPart } from "../engine/index.ts";
import type { Own } from "./needs.ts";

type SnapshotApp = Snapshot["apps"][number];

/** The apps of a backup that are half in it. */
export const halfOf = ({ apps }: Pick<Snapshot, "apps">): SnapshotApp[] => apps.filter(({ half }) => half === true);

/** What is said of one of them before it is put back. */
export const describeHalf = ({ name }: Pick<SnapshotApp, "name">): string =>
  `Not all of ${name} was there when this backup was made, so what comes back of it may not be whole.`;

/** What a backup says of an app that has lost volumes: they are not in it, and nothing would come back in them. */
export function noteLost({ apps }: Pick<Own, "apps">, id: string, parts: readonly SnapshotPart[]): string[] {
  const stored = new Set(parts.flatMap(({ kind, name }) => (kind === "volume" ? [name] : [])));
  const missing = apps.volumesOf(id).flatMap(({ name }) => (stored.has(name) ? [] : [name]));
  if (missing.length === 0) return [];
  const which = missing.length === 1 ? "its volume" : "its volumes";
  return [`${apps.get(id).name} had lost data when this backup was made: without ${which} ${missing.join(", ")}.`];
}
