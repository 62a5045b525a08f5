import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** As long as the longest text of a project, whatever its letters take. */
const MOST_BYTES = 4 * 65_536;
/** Errors of a path that has no plain file of its own; a pipe without a reader, or a device without a driver, is such. */
const NONE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENXIO", "ENODEV"]);

const isNone = (error: unknown): boolean => error instanceof Error && "code" in error && NONE.has(error.code);

/**
 * The text of a file in a folder that containers may write to; null where there is no plain file, or one that is too large to be a text
 * of a project. The last part of the path is not followed when it is a link: it could lead to any file of the server. Throws other
 * errors of the disk.
 */
export async function readPlain(path: string): Promise<string | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) =>
    isNone(error) ? null : Promise.reject(error),
  );
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    return stat.isFile() && stat.size <= MOST_BYTES ? await handle.readFile("utf8") : null;
  } finally {
    await handle.close();
  }
}
