import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { minutes } from "../../../lib/duration.ts";
import type { TargetPlace } from "../engine/index.ts";
import type { Held, Own } from "./needs.ts";
import { type ResticSession, startRestic } from "./session.ts";

const FOLDER = "restic-index";
const MOST_HELD = 3;
const IDLE_MS = minutes(10);

type Files = Pick<Own, "config">;

const nameOf = (id: string): string => `${id.toLowerCase()}.db`;

/** Where the index of a repository is kept; it can be thrown away. */
function indexPath({ config }: Files, id: string): string {
  mkdirSync(join(config.data_dir, FOLDER), { recursive: true, mode: 0o700 });
  return join(config.data_dir, FOLDER, nameOf(id));
}

/** The files that an index may consist of. */
export const indexFiles = (own: Files, id: string): string[] =>
  ["", "-wal", "-shm"].map((ending) => `${indexPath(own, id)}${ending}`);

/** Whether a repository has been read, and that is still here. */
export const hasIndex = (own: Files, id: string): boolean => existsSync(indexPath(own, id));

/** Removes indexes of repositories that are attached no more. */
export function tidyIndexes({ config }: Files, known: readonly string[]): void {
  const folder = join(config.data_dir, FOLDER);
  if (!existsSync(folder)) return;
  const names = new Set(known.map(nameOf));
  for (const name of readdirSync(folder))
    if (!names.has(name.replace(/-(wal|shm)$/, ""))) rmSync(join(folder, name), { force: true });
}

/** Opens a repository in a thread of its own. */
export async function openSession(
  own: Pick<Own, "config" | "signal">,
  id: string,
  { place, password }: { place: TargetPlace; password: string },
): Promise<ResticSession> {
  // A program that ends does not wait until everything is read.
  const session = startRestic([own.signal]);
  try {
    await session.open(place, password, indexPath(own, id));
    return session;
  } catch (error) {
    session.end();
    throw error;
  }
}

/** Ends the session that is held for a repository. */
export function endHeld({ held }: Pick<Own, "held">, id: string): void {
  held.get(id)?.end();
  held.delete(id);
}

/** The session that people look into a repository with: it stays open for a while, since to open one takes seconds. */
export async function holdSession(
  own: Own,
  id: string,
  opening: { place: TargetPlace; password: string },
): Promise<ResticSession> {
  const { held, clock } = own;
  const known = held.get(id);
  if (known) {
    held.delete(id);
    held.set(id, known);
    known.touch();
    return await known.session;
  }
  for (const old of [...held.keys()].slice(0, Math.max(0, held.size - MOST_HELD + 1))) endHeld(own, old);
  let cancel = () => {};
  const one: Held = {
    session: openSession(own, id, opening),
    touch() {
      cancel();
      cancel = clock.after(IDLE_MS, () => endHeld(own, id));
    },
    end() {
      cancel();
      void one.session.then((session) => session.end()).catch(() => "it has ended by itself");
    },
  };
  held.set(id, one);
  one.touch();
  try {
    return await one.session;
  } catch (error) {
    if (held.get(id) === one) endHeld(own, id);
    throw error;
  }
}
