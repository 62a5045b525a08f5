import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from "node:fs";
import { pathInOpenFolder } from "../../../kernel/host/open-folder.ts";
import { EngineFailure } from "./failure.ts";
import type { FreshEntry } from "./tar.ts";

/** Folders in folders. */
const MOST_DEEP = 200;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const SLASH = 47;
/** Files may say that they have more than is on the disk, so many times and so much more: an archive has all of it, as zeros. */
const MOST_HOLLOW = 20n;
const HOLLOW_BYTES = 64n * 1024n ** 3n;
const DISK_BLOCK = 512n;

/** What stands in a folder on disk, or below it. */
export interface TreeEntry {
  type: FreshEntry["type"];
  /** Below the folder, without slashes at its ends; of the folder itself empty. Bytes, as they need not be text. */
  name: Buffer;
  stat: BigIntStats;
  /** Where a link leads; of a twin, the name of the file that it is another name of. */
  link: Buffer | null;
}

const unread = (why: string) => new EngineFailure("tree_unread", why);

/** What files say that they have, and what of it is on the disk. */
function createMeasure(): (name: Buffer, stat: BigIntStats) => void {
  let said = 0n;
  let there = 0n;
  return (name, { size, blocks }) => {
    said += size;
    there += blocks * DISK_BLOCK;
    if (said <= there * MOST_HOLLOW + HOLLOW_BYTES) return;
    throw new EngineFailure("tree_hollow", describeHollow(name.toString(), Number(size)));
  };
}

/** Says of a file that with it there is more than can be. */
export const describeHollow = (name: string, bytes: number): string =>
  `${name} is ${(bytes / 1e9).toFixed(1)} GB long, and next to nothing of that is on the disk: a copy would have all of it.`;

/** The path of what has that name in a folder that is open. */
const within = (folder: number, name: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(pathInOpenFolder(folder, "")), name]);

const joined = (folder: Buffer, name: Uint8Array): Buffer =>
  folder.length === 0 ? Buffer.from(name) : Buffer.concat([folder, Uint8Array.of(SLASH), name]);

/**
 * Runs a call of the system. What that says against it comes in our words, as `tree_unread`: whoever asked reads the folder another
 * way.
 */
export function attempt<Result>(task: () => Result): Result {
  try {
    return task();
  } catch (error) {
    if (error instanceof EngineFailure) throw error;
    throw unread(`A folder cannot be read where it lies: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * All that stands in a folder, each folder before what is in it, by the bytes of their names. Links are never followed, those on the way
 * neither: whoever may write there must not lead it elsewhere. Throws `tree_unread` for what archives of volumes cannot have, and
 * with `isOneDisk` for folders of another disk; `tree_hollow` where files say that they have far more than is on the disk.
 */
export function* walkTree(root: string, isOneDisk = false): Generator<TreeEntry> {
  /** Names of files that have several, by their disk and their number on it. */
  const several = new Map<string, Buffer>();
  const measure = createMeasure();

  function describe(path: Buffer, name: Buffer): TreeEntry | null {
    const stat = lstatSync(path, { bigint: true });
    if (isOneDisk && stat.dev !== disk) throw unread("A part of it is a disk or a subvolume of its own.");
    if (stat.isDirectory()) return { type: "folder", name, stat, link: null };
    // Nobody listens at a socket of an app that was put back.
    if (stat.isSocket()) return null;
    if (stat.isSymbolicLink()) return { type: "link", name, stat, link: readlinkSync(path, { encoding: "buffer" }) };
    if (!stat.isFile()) throw unread("A device or a pipe is in it.");
    const file = `${stat.dev} ${stat.ino}`;
    const first = stat.nlink > 1n ? several.get(file) : undefined;
    if (first !== undefined) return { type: "twin", name, stat, link: first };
    if (stat.nlink > 1n) several.set(file, name);
    measure(name, stat);
    return { type: "file", name, stat, link: null };
  }

  function* walk(folder: number, name: Buffer, depth: number): Generator<TreeEntry> {
    if (depth > MOST_DEEP) throw unread("Its folders are too deep.");
    const names = attempt(() => readdirSync(within(folder, Buffer.of()), { encoding: "buffer" }));
    for (const one of names.sort(Buffer.compare)) {
      const path = within(folder, one);
      const entry = attempt(() => describe(path, joined(name, one)));
      if (entry === null) continue;
      yield entry;
      if (entry.type !== "folder") continue;
      const inner = attempt(() => openSync(path, FOLDER));
      try {
        yield* walk(inner, entry.name, depth + 1);
      } finally {
        closeSync(inner);
      }
    }
  }

  const top = attempt(() => openSync(root, FOLDER));
  const stat = fstatSync(top, { bigint: true });
  const disk = stat.dev;
  try {
    yield { type: "folder", name: Buffer.of(), stat, link: null };
    yield* walk(top, Buffer.of(), 1);
  } finally {
    closeSync(top);
  }
}

/** Reaches what a walk found, later on. */
export interface TreeReach {
  /** A path of it that is good until the next one is asked for. Throws `tree_unread`. */
  pathOf(name: Buffer): Buffer;
  /** Opens a file that is still the one that was found; whoever asks closes it. Throws `tree_unread`. */
  open(entry: TreeEntry): number;
  close(): void;
}

/** Opens the folder that a walk began at. */
export function reachTree(root: string): TreeReach {
  const top = attempt(() => openSync(root, FOLDER));
  /** The folder that was asked for last: its neighbours come next. */
  let last: { name: Buffer; folder: number } = { name: Buffer.of(), folder: top };

  function leave(): void {
    if (last.folder !== top) closeSync(last.folder);
    last = { name: Buffer.of(), folder: top };
  }

  function enter(name: Buffer): number {
    if (last.name.equals(name)) return last.folder;
    leave();
    let folder = top;
    for (let from = 0; from < name.length; ) {
      const slash = name.indexOf(SLASH, from);
      const to = slash === -1 ? name.length : slash;
      const above = folder;
      try {
        folder = openSync(within(above, name.subarray(from, to)), FOLDER);
      } finally {
        if (above !== top) closeSync(above);
      }
      from = to + 1;
    }
    last = { name, folder };
    return folder;
  }

  const pathOf = (name: Buffer): Buffer => {
    const slash = name.lastIndexOf(SLASH);
    return attempt(() => within(enter(name.subarray(0, Math.max(0, slash))), name.subarray(slash + 1)));
  };
  return {
    pathOf,
    open({ name, stat }) {
      const file = attempt(() =>
        openSync(pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
      );
      const found = fstatSync(file, { bigint: true });
      if (found.isFile() && found.ino === stat.ino && found.dev === stat.dev) return file;
      closeSync(file);
      throw unread("A file became another one while it was read.");
    },
    close() {
      leave();
      closeSync(top);
    },
  };
}
