/** What stands in an archive, in the words of the wire. */
import { toAnyIso } from "../../../lib/clock.ts";
import type { TarEntry } from "../engine/index.ts";
import type { BackupFile } from "./browse-contract.ts";

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** What it is to people: a second name of a file is one. */
export const kindOf = ({ kind }: TarEntry): BackupFile["kind"] => (kind === "twin" ? "file" : kind);

/** How large a file is; that of a twin stands with the name it is another of. */
export const sizeOf = (entry: TarEntry, twins: ReadonlyMap<string, TarEntry>): number =>
  entry.kind === "twin" ? (twins.get(entry.link ?? "")?.size ?? 0) : entry.size;

/** Entries by where they are. */
export const byPath = (entries: readonly TarEntry[]): Map<string, TarEntry> =>
  new Map(entries.map((entry) => [entry.path, entry]));

/** An entry as the wire has it. */
export function present(entry: TarEntry, twins: ReadonlyMap<string, TarEntry>): BackupFile {
  const { path, mtime, kind, link } = entry;
  return {
    path,
    name: nameOf(path),
    kind: kindOf(entry),
    size_bytes: sizeOf(entry, twins),
    changed_at: toAnyIso(mtime * 1000),
    link: kind === "link" ? link : null,
  };
}
