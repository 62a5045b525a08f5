import { kernelFail } from "../../../kernel/http/errors.ts";
import type { TarEntry } from "../engine/index.ts";
import type { FileChanges } from "./browse-contract.ts";
import { fail } from "./contract.ts";
import { byPath, kindOf, present, sizeOf } from "./entries.ts";
import { type AskedVolume, readIndex } from "./file-index.ts";
import type { Own } from "./needs.ts";

const USUAL_PAGE = 200;
const MOST_CHANGES = 500;

/** A path as somebody asks for it, without slashes at its ends. */
export const plainPath = (path: string): string => path.replaceAll(/^\/+|\/+$/g, "");

const byKindAndName = (left: TarEntry, right: TarEntry): number => {
  const rank = ({ kind }: TarEntry) => (kind === "folder" ? 0 : 1);
  return rank(left) - rank(right) || (left.path < right.path ? -1 : left.path > right.path ? 1 : 0);
};

/** A page of a folder, folders first. Throws what `GET /api/backups/{id}/files` answers. */
export async function listFolder(
  own: Own,
  id: string,
  query: AskedVolume & { path?: string | undefined; from?: number | undefined; limit?: number | undefined },
) {
  const { entries } = (await readIndex(own, id, query)).index;
  const path = plainPath(query.path ?? "");
  if (path !== "" && !entries.some((entry) => entry.path === path && entry.kind === "folder"))
    throw fail("backup_file_not_found", { path });
  const start = path === "" ? 0 : path.length + 1;
  const inside = entries.filter(
    (entry) =>
      entry.path.length > start &&
      (start === 0 || entry.path.startsWith(`${path}/`)) &&
      entry.path.indexOf("/", start) === -1,
  );
  inside.sort(byKindAndName);
  const from = query.from ?? 0;
  const page = inside.slice(from, from + (query.limit ?? USUAL_PAGE));
  const twins = page.some(({ kind }) => kind === "twin") ? byPath(entries) : new Map<string, TarEntry>();
  const end = from + page.length;
  return {
    path,
    total: inside.length,
    files: page.map((entry) => present(entry, twins)),
    next: end < inside.length ? end : null,
  };
}

const isAlike = (left: TarEntry, right: TarEntry): boolean =>
  kindOf(left) === kindOf(right) &&
  left.mode === right.mode &&
  (left.kind === "folder" || (left.mtime === right.mtime && left.link === right.link && left.size === right.size));

/** What is other in one list of entries than in another, by path. `removes` counts what only the first has. */
export function compare(before: readonly TarEntry[], after: readonly TarEntry[], removes = true): FileChanges {
  const old = byPath(before);
  const fresh = byPath(after);
  const all: FileChanges = { added: 0, removed: 0, changed: 0, unchanged: 0, changes: [] };
  const paths = [...new Set([...(removes ? old.keys() : []), ...fresh.keys()])].sort();
  for (const path of paths) {
    const was = old.get(path);
    const is = fresh.get(path);
    const shown = is ?? was;
    if (!shown) continue;
    if (was && is && isAlike(was, is)) {
      all.unchanged += 1;
      continue;
    }
    const change = !was ? "added" : is ? "changed" : "removed";
    all[change] += 1;
    if (all.changes.length >= MOST_CHANGES) continue;
    all.changes.push({
      path,
      change,
      kind: kindOf(shown),
      size_before: was ? sizeOf(was, old) : null,
      size_after: is ? sizeOf(is, fresh) : null,
    });
  }
  return all;
}

/** What is other in a backup than in an earlier one. Throws what `GET /api/backups/{id}/changes` answers. */
export async function compareBackups(
  own: Own,
  id: string,
  { against, ...asked }: AskedVolume & { against?: string | undefined },
): Promise<FileChanges> {
  const { index, app, volume } = await readIndex(own, id, asked);
  if (against === undefined) throw kernelFail("invalid_request", { field: "against", reason: "is needed" });
  const before = await readIndex(own, against, { app, volume });
  return compare(before.index.entries, index.entries);
}
