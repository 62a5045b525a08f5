import { toAnyIso } from "../../../lib/clock.ts";
import { plainPath } from "../backups/index.ts";
import { fail, type ResticSnapshots } from "./contract.ts";
import { refuse } from "./failures.ts";
import { endHeld, hasIndex, holdSession } from "./held.ts";
import type { Own } from "./needs.ts";
import { getRepository, openingOf } from "./repositories.ts";
import type { ResticSession } from "./session.ts";
import type { ResticRow } from "./store.ts";

const USUAL_PAGE = 200;

interface Page {
  from?: number | undefined;
  limit?: number | undefined;
}

/** A repository that was read. Throws `restic_not_found`, `restic_busy` and `restic_unread`. */
export function getRead(own: Own, id: string): ResticRow {
  const row = getRepository(own, id);
  if (own.reading.has(id)) throw fail("restic_busy");
  if (row.read_at === null || !hasIndex(own, id)) throw fail("restic_unread");
  return row;
}

/** The names on the way to a path. */
export const wayOf = (path: string | undefined): string[] => {
  const plain = plainPath(path ?? "");
  return plain === "" ? [] : plain.split("/");
};

async function ask<Result>(own: Own, id: string, question: (session: ResticSession) => Promise<Result>) {
  const row = getRead(own, id);
  try {
    return await question(await holdSession(own, id, openingOf(own, row)));
  } catch (error) {
    const said = refuse(error, row.path);
    // What went wrong with the place may be past with a new connection.
    if (said === error || (said instanceof Error && "code" in said && said.code === "restic_away")) endHeld(own, id);
    throw said;
  }
}

/** A page of the snapshots, newest first. Throws what `GET /api/backup/restic/{id}/snapshots` answers. */
export async function listSnapshots(
  own: Own,
  id: string,
  { from = 0, limit = USUAL_PAGE }: Page,
): Promise<ResticSnapshots> {
  const { page, total, unreadable } = await ask(own, id, (session) => session.snapshots(from, limit));
  return {
    snapshots: page.map(({ id: snapshot, at, host, user, paths, tags, bytes, files }) => ({
      ...{ id: snapshot, created_at: toAnyIso(at), host, user, paths, tags, size_bytes: bytes, files },
    })),
    total,
    next: from + page.length < total ? from + page.length : null,
    unreadable,
  };
}

/** A page of a folder, folders first. Throws what `GET /api/backup/restic/{id}/snapshots/{snapshot}/files` answers. */
export async function listFolder(
  own: Own,
  { id, snapshot }: { id: string; snapshot: string },
  query: Page & { path?: string | undefined },
) {
  const way = wayOf(query.path);
  const { from = 0, limit = USUAL_PAGE } = query;
  const { total, nodes } = await ask(own, id, (session) => session.folder(snapshot, way, from, limit));
  const end = from + nodes.length;
  return {
    path: way.join("/"),
    total,
    files: nodes.map(({ name, kind, size, mtime, link }) => ({
      path: [...way, name].join("/"),
      name,
      kind,
      size_bytes: size,
      changed_at: toAnyIso(mtime * 1000),
      link,
    })),
    next: end < total ? end : null,
  };
}
