import { constants, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathInOpenFolder } from "../../../kernel/host/open-folder.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { withRelease } from "../../../lib/release.ts";
import { callsOfPool, type DiskCalls, type OpenFile } from "./disk-calls.ts";
import { EngineFailure, tooLarge } from "./failure.ts";
import { assertName, byName, INCOMING, isRepositoryName } from "./names.ts";
import { type Pace, paced } from "./pace.ts";
import { checkCount } from "./reply-bytes.ts";
import { type Entry, MOST_FILE_BYTES, type Range, type Target } from "./target.ts";

/** What is read at a time of a file that leaves piece by piece. */
const PIECE_BYTES = 256 * 1024;

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** The system's refusal in our words. */
function explain(error: unknown, path: string): Error {
  // What a source threw in words of its own is no refusal of the system.
  if (error instanceof EngineFailure || error instanceof AppError) return error;
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return new EngineFailure("target_missing", `There is no ${path}.`);
  if (code === "EEXIST") return new EngineFailure("target_exists", `There is a ${path} already.`);
  if (code === "ENOSPC" || code === "EDQUOT") return new EngineFailure("target_full", `The disk of ${path} is full.`);
  if (code === "EROFS")
    return new EngineFailure(
      "target_refused",
      `The node may not write to ${dirname(path)}. A folder below /mnt, /media or /var/backups is open to it.`,
    );
  const reason = error instanceof Error ? error.message : String(error);
  return new EngineFailure("target_refused", `The system refused ${path}: ${reason}`);
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY;

const within = (folder: OpenFile, name: string): string => pathInOpenFolder(folder.fd, name);

async function openBelow(calls: DiskCalls, folder: OpenFile, name: string, makes: boolean): Promise<OpenFile> {
  const path = within(folder, name);
  try {
    return await calls.open(path, FOLDER | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === "ELOOP" || (await isLink(calls, path)))
      throw new EngineFailure("target_refused", describeLink(name));
    if (!makes || codeOf(error) !== "ENOENT") throw error;
  }
  await calls.mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  await folder.sync();
  return await openBelow(calls, folder, name, false);
}

const isLink = (calls: DiskCalls, path: string): Promise<boolean> =>
  calls.lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

const describeLink = (name: string): string =>
  `${name} is a link there. A repository has none: others than this node write to that folder, so give backups one of their own.`;

/** Opens a folder step by step, since none on the way may be a link: others may be able to write at that place. */
async function openFolder(calls: DiskCalls, root: string, folders: string, makes: boolean): Promise<OpenFile> {
  let opened = await calls.open(root, FOLDER);
  for (const name of folders.split("/").filter((one) => one !== "" && one !== ".")) {
    const above = opened;
    try {
      opened = await openBelow(calls, above, name, makes);
    } finally {
      await above.close();
    }
  }
  return opened;
}

/** Opens a plain file to be read. Throws `damaged` for anything else. */
async function openFile(calls: DiskCalls, path: string, name: string): Promise<{ file: OpenFile; size: number }> {
  const file = await calls.open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFile()) return { file, size: found.size };
  await file.close();
  throw new EngineFailure("damaged", `${name} is no file.`);
}

/** Writes a new file in its place: a link cannot replace anything, and where links are unknown the name is taken first. */
async function publish(calls: DiskCalls, fresh: string, path: string): Promise<void> {
  try {
    await calls.link(fresh, path);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"].includes(codeOf(error))) throw error;
    const taken = await calls.open(path, "wx", 0o600);
    await taken.close();
    await calls.rename(fresh, path);
    return;
  }
  await calls.unlink(fresh);
}

/** What is of that name; null where nothing is any more. */
async function statIfThere(calls: DiskCalls, path: string): Promise<Stats | null> {
  try {
    return await calls.lstat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

type Entries = AsyncGenerator<Entry, void, undefined>;

async function* nothing(): Entries {}

async function* piecesOf(file: OpenFile, name: string, { at, length }: Range): AsyncGenerator<Uint8Array> {
  try {
    for (let got = 0; got < length; ) {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, length - got));
      const { bytesRead } = await file.read(piece, 0, piece.length, at + got);
      if (bytesRead === 0) throw new EngineFailure("damaged", `${name} is shorter than it was.`);
      got += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const isMissing = (error: unknown): boolean => error instanceof EngineFailure && error.code === "target_missing";

/** A target that also takes files as they come, and gives them so. */
export interface LocalFolder extends Target {
  /** As `read`, of which no more than a piece is held: whoever takes it slowly costs nothing. It has to be read or returned. */
  readFrom(name: string, range?: Range): Promise<AsyncGenerator<Uint8Array>>;
  /** As `write`; what `source` throws leaves nothing there. */
  writeFrom(name: string, source: AsyncIterable<Uint8Array> | readonly Uint8Array[]): Promise<void>;
  /**
   * As `list`, one after the other and in no order, of which no more is held than the names in one folder. It has to be read or
   * returned.
   */
  listFrom(folder: string): Promise<Entries>;
  /** Size of a file; null where there is none. */
  sizeOf(name: string): Promise<number | null>;
}

/**
 * A repository in a folder of this machine or of a mounted disk. The folder itself must be there: an unmounted disk is no place. `write`
 * and `read` wait for `pace`; a disk that is mounted may be far away.
 */
export function openLocalFolder(root: string, pace: Pace | null = null, calls: DiskCalls = callsOfPool): LocalFolder {
  let count = 0;

  /** Runs `task` with the open folder that a file of that name lies in. */
  async function inFolderOf<Result>(
    name: string,
    makes: boolean,
    task: (folder: OpenFile, path: string) => Promise<Result>,
  ): Promise<Result> {
    assertName(name);
    try {
      const folder = await openFolder(calls, root, dirname(name), makes);
      try {
        return await task(folder, within(folder, basename(name)));
      } finally {
        await folder.close();
      }
    } catch (error) {
      throw explain(error, join(root, name));
    }
  }

  /** What lies in an open folder, then what lies in those below it. */
  async function* entriesOf(folder: string, opened: OpenFile, names: readonly string[]): Entries {
    const folders: string[] = [];
    try {
      for (const own of names) {
        const name = `${folder}/${own}`;
        if (!isRepositoryName(name)) continue;
        const found = await statIfThere(calls, within(opened, own));
        if (found?.isDirectory()) folders.push(name);
        else if (found?.isFile()) yield { name, size: found.size };
      }
    } catch (error) {
      throw explain(error, join(root, folder));
    } finally {
      await opened.close();
    }
    for (const name of folders) yield* await place.listFrom(name);
  }

  const place: LocalFolder = {
    async write(name, bytes) {
      await this.writeFrom(name, pace ? paced(bytes, pace) : [bytes]);
    },
    async writeFrom(name, source) {
      count += 1;
      const fresh = `${INCOMING}/${process.pid}-${count}`;
      await inFolderOf(name, true, (folder, path) =>
        inFolderOf(fresh, true, async (_, incoming) => {
          // One that is there is of a process that was killed, or a trap.
          await calls.unlink(incoming).catch(() => {});
          try {
            const file = await calls.open(incoming, "wx", 0o600);
            try {
              for await (const bytes of source) await file.writeFile(bytes);
              await file.sync();
            } finally {
              await file.close();
            }
            await publish(calls, incoming, path);
          } catch (error) {
            await calls.unlink(incoming).catch(() => {});
            throw error;
          }
          await folder.sync();
        }),
      );
    },
    async read(name, range, most = MOST_FILE_BYTES) {
      return await inFolderOf(name, false, async (_, path) => {
        const { file, size } = await openFile(calls, path, name);
        try {
          const { at, length } = range ?? { at: 0, length: size };
          // It may be next to nothing but holes.
          if (length > (range ? MOST_FILE_BYTES : most)) throw tooLarge(name);
          await pace?.(length);
          const bytes = new Uint8Array(length);
          let got = 0;
          while (got < length) {
            const { bytesRead } = await file.read(bytes, got, Math.min(PIECE_BYTES, length - got), at + got);
            if (bytesRead === 0) throw new EngineFailure("damaged", `${name} is shorter than it was.`);
            got += bytesRead;
          }
          return bytes;
        } finally {
          await file.close();
        }
      });
    },
    async readFrom(name, range) {
      return await inFolderOf(name, false, async (_, path) => {
        const { file, size } = await openFile(calls, path, name);
        const asked = range ?? { at: 0, length: size };
        if (asked.at + asked.length <= size) return withRelease(piecesOf(file, name, asked), () => file.close());
        await file.close();
        throw new EngineFailure("damaged", `${name} is shorter than it was.`);
      });
    },
    async list(folder) {
      const entries: Entry[] = [];
      for await (const entry of await this.listFrom(folder)) {
        entries.push(entry);
        checkCount(entries.length);
      }
      return entries.sort(byName);
    },
    async listFrom(folder) {
      assertName(folder);
      try {
        const opened = await openFolder(calls, root, folder, false);
        try {
          const names = await calls.readdir(within(opened, "."));
          return withRelease(entriesOf(folder, opened, names), () => opened.close());
        } catch (error) {
          await opened.close();
          throw error;
        }
      } catch (error) {
        const failure = explain(error, join(root, folder));
        if (isMissing(failure)) return nothing();
        throw failure;
      }
    },
    async sizeOf(name) {
      const look = inFolderOf(name, false, (_, path) => statIfThere(calls, path));
      const found = await look.catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return found?.isFile() ? found.size : null;
    },
    async remove(name) {
      await inFolderOf(name, false, (_, path) => calls.unlink(path)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    warnings: () => [],
  };
  return place;
}
