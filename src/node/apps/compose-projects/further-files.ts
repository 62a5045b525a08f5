import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { pathInOpenFolder } from "../../../kernel/host/open-folder.ts";
import { parseJson } from "../../../lib/json.ts";
import { MAX_FILES, type ProjectFile, ProjectFile as ProjectFileShape } from "./contract.ts";
import { readPlain } from "./read-plain.ts";

/** Names the further files: what else lies in the folder belongs to the containers. */
const LIST = ".files.json";
/** Ends the names of what waits for its deploy to go well; nothing for what runs. */
type Ending = "" | ".next";

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

function orMissing<Empty>(empty: Empty) {
  return (error: unknown): Empty => {
    if (codeOf(error) === "ENOENT") return empty;
    throw error;
  };
}

const openFolder = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);

/**
 * Does something with a path below the folder of a project, whose own folders are gone through one by one: a container can put a link
 * into a folder that it writes to, and nothing of ours goes there.
 */
async function atPath<Done>(
  folder: string,
  path: string,
  act: (path: string) => Promise<Done>,
  isMade = false,
): Promise<Done> {
  const names = path.split("/");
  const last = names.pop() ?? "";
  let handle = await openFolder(folder);
  try {
    for (const name of names) {
      const next = pathInOpenFolder(handle.fd, name);
      if (isMade)
        await mkdir(next, { mode: 0o700 }).catch((error) => codeOf(error) === "EEXIST" || Promise.reject(error));
      const inner = await openFolder(next);
      await handle.close();
      handle = inner;
    }
    return await act(pathInOpenFolder(handle.fd, last));
  } finally {
    await handle.close();
  }
}

/** Made anew by whoever opens it: what a container has put there under that name is not written to, least of all a link. */
const FRESH = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Another text in one step: a power cut leaves the old one or the new one. Others of the server cannot read it. */
export async function replaceText(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const handle = await open(draft, FRESH, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}

async function listPaths(folder: string, ending: Ending): Promise<string[] | null> {
  const text = await readPlain(join(folder, LIST + ending));
  if (text === null) return null;
  const paths = parseJson(text);
  const isPath = (path: unknown): path is string => Value.Check(ProjectFileShape.properties.path, path);
  return Array.isArray(paths) ? paths.filter(isPath).slice(0, MAX_FILES) : [];
}

const remove = (folder: string, path: string): Promise<void> =>
  atPath(folder, path, (place) => rm(place, { force: true })).catch(() => {});

/** The further files of a project; what somebody took away is left out. */
export async function readFurther(folder: string, ending: Ending): Promise<ProjectFile[]> {
  const files: ProjectFile[] = [];
  for (const path of (await listPaths(folder, ending)) ?? []) {
    const text = await atPath(folder, path + ending, readPlain).catch(() => null);
    if (text !== null) files.push({ path, text });
  }
  return files;
}

/** Writes them where the Compose file names them, and removes those of before that it has no more. */
export async function writeFurther(folder: string, files: readonly ProjectFile[], ending: Ending): Promise<void> {
  const before = (await listPaths(folder, ending)) ?? [];
  const paths = files.map(({ path }) => path);
  for (const { path, text } of files) await atPath(folder, path + ending, (place) => replaceText(place, text), true);
  for (const path of before) if (!paths.includes(path)) await remove(folder, path + ending);
  // Without any there is nothing to name; a draft says so, since it takes away those of before.
  if (paths.length === 0 && ending === "") await rm(join(folder, LIST), { force: true });
  else await replaceText(join(folder, LIST + ending), JSON.stringify(paths));
}

/** Gives what waits the place of what ran; doing it again after a crash goes on. */
export async function adoptFurther(folder: string): Promise<void> {
  const paths = await listPaths(folder, ".next");
  if (paths === null) return;
  for (const path of paths)
    await atPath(folder, path, (place) => rename(`${place}.next`, place)).catch(orMissing(undefined));
  for (const path of (await listPaths(folder, "")) ?? []) if (!paths.includes(path)) await remove(folder, path);
  await rename(join(folder, `${LIST}.next`), join(folder, LIST)).catch(orMissing(undefined));
}

/** Removes them, with folders that nothing is left in. */
export async function removeFurther(folder: string, ending: Ending): Promise<void> {
  for (const path of (await listPaths(folder, ending)) ?? []) {
    await remove(folder, path + ending);
    const parts = path.split("/").slice(0, -1);
    for (; parts.length > 0; parts.pop())
      await atPath(folder, parts.join("/"), (place) => rmdir(place)).catch(() => {});
  }
  await rm(join(folder, LIST + ending), { force: true });
}
