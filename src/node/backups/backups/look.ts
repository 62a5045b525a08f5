import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { minutes } from "../../../lib/duration.ts";
import { type DriveCopy, openDriveCopy } from "../../storage/drive/index.ts";
import { type CatalogueCopy, openCatalogueCopy } from "../../storage/object-store/index.ts";
import type { EngineSession, SnapshotPart } from "../engine/index.ts";
import { fail } from "./contract.ts";
import { causeOf, isPassing } from "./failures.ts";
import type { Needs } from "./needs.ts";
import { OBJECT_PARTS, partOf } from "./objects-parts.ts";

const IDLE_MS = minutes(10);

/** What a backup says of buckets and Drives, open to be read. */
export interface Seen {
  catalogue: CatalogueCopy;
  drives: DriveCopy;
}

/** One backup at a time that people look into: what names its objects is fetched once and stays for a while. */
export interface Look {
  /** Those of a backup; `fetch` is asked to write them where they are not here. Null where it has no buckets and Drives. */
  at(backupId: string, fetch: (use: (session: EngineSession) => Promise<void>) => Promise<void>): Promise<Seen | null>;
  /** Forgets what is here. */
  close(): void;
}

/**
 * Writes both databases of a backup into a folder, which takes at most `room` bytes, and opens them; null where it has none. Throws
 * `backup_objects_unreadable`, and what is wrong with the target.
 */
export async function openSeen(
  session: EngineSession,
  parts: readonly SnapshotPart[],
  folder: string,
  room: number,
): Promise<Seen | null> {
  const catalogue = partOf(parts, OBJECT_PARTS.catalogue);
  const main = partOf(parts, "main.db");
  if (catalogue === null || main === null) return null;
  const size = catalogue.size + main.size;
  if (size > room)
    throw fail("backup_objects_unreadable", { reason: "there is no room for them on this server's own disk." });
  const opened: { close(): void }[] = [];
  const keep = <Copy extends { close(): void }>(copy: Copy): Copy => {
    opened.push(copy);
    return copy;
  };
  try {
    await session.writeFile(catalogue, join(folder, "catalogue.db"));
    await session.writeFile(main, join(folder, "main.db"));
    return {
      catalogue: keep(openCatalogueCopy(join(folder, "catalogue.db"))),
      drives: keep(openDriveCopy(join(folder, "main.db"))),
    };
  } catch (error) {
    for (const copy of opened) copy.close();
    if (isPassing(error)) throw error;
    throw fail("backup_objects_unreadable", { reason: `${causeOf(error).replace(/\.$/, "")}.` });
  }
}

/** Nothing is looked into yet. `roomFor` tells how many bytes may be written. */
export function createLook({ config, clock }: Pick<Needs, "config" | "clock">, roomFor: () => Promise<number>): Look {
  const folder = join(config.data_dir, "backup-look");
  let current: { id: string; seen: Seen | null; usedAt: number } | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  function close(): void {
    current?.seen?.catalogue.close();
    current?.seen?.drives.close();
    current = null;
    rmSync(folder, { recursive: true, force: true });
  }

  function closeIdle(): void {
    if (current === null) return;
    const left = current.usedAt + IDLE_MS - clock.monotonic();
    if (left <= 0) close();
    else clock.after(left, closeIdle);
  }

  async function openAt(id: string, fetch: Parameters<Look["at"]>[1]): Promise<Seen | null> {
    if (current?.id !== id) {
      close();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      let seen: Seen | null = null;
      try {
        await fetch(async (session) => {
          const { parts } = await session.snapshot(id);
          seen = await openSeen(session, parts, folder, await roomFor());
        });
      } catch (error) {
        close();
        throw error;
      }
      current = { id, seen, usedAt: clock.monotonic() };
      clock.after(IDLE_MS, closeIdle);
    }
    current.usedAt = clock.monotonic();
    return current.seen;
  }

  return {
    async at(id, fetch) {
      const turn = queue.then(() => openAt(id, fetch));
      queue = turn.catch(() => {});
      return await turn;
    },
    close,
  };
}
