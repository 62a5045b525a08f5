import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isAbsolute, join, normalize } from "node:path";
import type { ContainerSummary } from "../runtime/index.ts";
import { FILES_LABEL, FOLDER_LABEL } from "./labels.ts";
import type { ProjectTexts } from "./project-files.ts";

/** As much as the editor takes. */
const MOST_BYTES = 65_536;

/** A text of the server; null where it is no plain file, too large, or not to be read. Links are not followed. */
async function readPlain(path: string): Promise<string | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat();
      const isPlain = (await handle.stat()).isFile();
      return isPlain && size <= MOST_BYTES ? await handle.readFile("utf8") : null;
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

/** The one Compose file and the `.env` that a project was started from, as its containers say; null where that cannot be told. */
export async function findTexts(
  containers: readonly ContainerSummary[],
): Promise<(ProjectTexts & { path: string }) | null> {
  const [first] = containers;
  const path = first?.Labels[FILES_LABEL] ?? "";
  const folder = first?.Labels[FOLDER_LABEL] ?? "";
  // The label is anybody's words: only what looks like a Compose file is opened.
  const isFile = isAbsolute(path) && normalize(path) === path && /\.ya?ml$/.test(path) && !path.includes(",");
  const file = isFile ? await readPlain(path) : null;
  if (file === null) return null;
  const env = isAbsolute(folder) ? await readPlain(join(folder, ".env")) : null;
  return { path, file, env: env ?? "", files: [] };
}
