import { constants } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathInOpenFolder } from "../../../kernel/host/open-folder.ts";
import { withRelease } from "../../../lib/release.ts";
import { EngineFailure } from "./failure.ts";
import { assertName, byName, INCOMING, NAME } from "./names.ts";
import { type Pace, paced } from "./pace.ts";
import type { Entry, Range, Target } from "./target.ts";

/** What is read at a time of a file that leaves piece by piece. */
const PIECE_BYTES = 256 * 1024;

/** What is read whole at most; places of other servers have the same limit. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** The system's refusal in our words. */
function explain(error: unknown, path: string): Error {
  if (error instanceof EngineFailure) return error;
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

const within = (folder: FileHandle, name: string): string => pathInOpenFolder(folder.fd, name);

async function openBelow(folder: FileHandle, name: string, makes: boolean): Promise<FileHandle> {
  const path = within(folder, name);
  try {
    return await open(path, FOLDER | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === "ELOOP" || (await isLink(path)))
      throw new EngineFailure("target_refused", describeLink(name));
    if (!makes || codeOf(error) !== "ENOENT") throw error;
  }
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  await folder.sync();
  return await openBelow(folder, name, false);
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

const describeLink = (name: string): string =>
  `${name} is a link there. A repository has none: others than this node write to that folder, so give backups one of their own.`;

/** Opens a folder step by step, since none on the way may be a link: others may be able to write at that place. */
async function openFolder(root: string, folders: string, makes: boolean): Promise<FileHandle> {
  let opened = await open(root, FOLDER);
  for (const name of folders.split("/").filter((one) => one !== "" && one !== ".")) {
    const above = opened;
    try {
      opened = await openBelow(above, name, makes);
    } finally {
      await above.close();
    }
  }
  return opened;
}

/** Opens a plain file to be read. Throws `damaged` for anything else. */
async function openFile(path: string, name: string): Promise<{ file: FileHandle; size: number }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFile()) return { file, size: found.size };
  await file.close();
  throw new EngineFailure("damaged", `${name} is no file.`);
}

/** Writes a new file in its place: a link cannot replace anything, and where links are unknown the name is taken first. */
async function publish(fresh: string, path: string): Promise<void> {
  try {
    await link(fresh, path);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"].includes(codeOf(error))) throw error;
    const taken = await open(path, "wx", 0o600);
    await taken.close();
    await rename(fresh, path);
    return;
  }
  await unlink(fresh);
}

async function* piecesOf(file: FileHandle, name: string, { at, length }: Range): AsyncGenerator<Uint8Array> {
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

/** A target that also takes files as they come, and gives them so. */
export interface LocalFolder extends Target {
  /** As `read`, of which no more than a piece is held: whoever takes it slowly costs nothing. It has to be read or returned. */
  readFrom(name: string, range?: Range): Promise<AsyncGenerator<Uint8Array>>;
  /** As `write`; what `source` throws leaves nothing there. */
  writeFrom(name: string, source: AsyncIterable<Uint8Array> | readonly Uint8Array[]): Promise<void>;
}

/**
 * A repository in a folder of this machine or of a mounted disk. The folder itself must be there: an unmounted disk is no place. `write`
 * and `read` wait for `pace`; a disk that is mounted may be far away.
 */
export function openLocalFolder(root: string, pace: Pace | null = null): LocalFolder {
  let count = 0;

  /** Runs `task` with the open folder that a file of that name lies in. */
  async function inFolderOf<Result>(
    name: string,
    makes: boolean,
    task: (folder: FileHandle, path: string) => Promise<Result>,
  ): Promise<Result> {
    assertName(name);
    try {
      const folder = await openFolder(root, dirname(name), makes);
      try {
        return await task(folder, within(folder, basename(name)));
      } finally {
        await folder.close();
      }
    } catch (error) {
      throw explain(error, join(root, name));
    }
  }

  return {
    async write(name, bytes) {
      await this.writeFrom(name, pace ? paced(bytes, pace) : [bytes]);
    },
    async writeFrom(name, source) {
      count += 1;
      const fresh = `${INCOMING}/${process.pid}-${count}`;
      await inFolderOf(name, true, (folder, path) =>
        inFolderOf(fresh, true, async (_, incoming) => {
          // One that is there is of a process that was killed, or a trap.
          await unlink(incoming).catch(() => {});
          try {
            const file = await open(incoming, "wx", 0o600);
            try {
              for await (const bytes of source) await file.writeFile(bytes);
              await file.sync();
            } finally {
              await file.close();
            }
            await publish(incoming, path);
          } catch (error) {
            await unlink(incoming).catch(() => {});
            throw error;
          }
          await folder.sync();
        }),
      );
    },
    async read(name, range) {
      return await inFolderOf(name, false, async (_, path) => {
        const { file, size } = await openFile(path, name);
        try {
          if (!range && size > MOST_FILE_BYTES)
            throw new EngineFailure("damaged", `${name} is larger than anything in a repository.`);
          await pace?.(range?.length ?? size);
          if (!range) return new Uint8Array(await file.readFile());
          const bytes = new Uint8Array(range.length);
          let got = 0;
          while (got < range.length) {
            const { bytesRead } = await file.read(bytes, got, range.length - got, range.at + got);
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
        const { file, size } = await openFile(path, name);
        const asked = range ?? { at: 0, length: size };
        if (asked.at + asked.length <= size) return withRelease(piecesOf(file, name, asked), () => file.close());
        await file.close();
        throw new EngineFailure("damaged", `${name} is shorter than it was.`);
      });
    },
    async list(folder) {
      const entries: Entry[] = [];
      const folders: string[] = [];
      const look = inFolderOf(`${folder}/list`, false, async (_, path) => {
        for (const entry of await readdir(dirname(path), { withFileTypes: true })) {
          const name = `${folder}/${entry.name}`;
          if (!NAME.test(name)) continue;
          if (entry.isDirectory()) folders.push(name);
          else if (entry.isFile()) entries.push({ name, size: (await lstat(join(dirname(path), entry.name))).size });
        }
      });
      await look.catch((error: unknown) => {
        if (!(error instanceof EngineFailure && error.code === "target_missing")) throw error;
      });
      for (const name of folders) for (const entry of await this.list(name)) entries.push(entry);
      return entries.sort(byName);
    },
    async remove(name) {
      await inFolderOf(name, false, (_, path) => unlink(path)).catch((error: unknown) => {
        if (!(error instanceof EngineFailure && error.code === "target_missing")) throw error;
      });
    },
    warnings: () => [],
  };
}
