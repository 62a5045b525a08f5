import { isAbsolute, join, normalize } from "node:path";
import type { ContainerSummary } from "../runtime/index.ts";
import { FILES_LABEL, FOLDER_LABEL } from "./labels.ts";
import type { ProjectTexts } from "./project-files.ts";
import { readPlain } from "./read-plain.ts";

/** As much as the editor takes. */
const MOST_LENGTH = 65_536;

/** A text of the server; null where it cannot be read or is longer than the editor takes. */
async function readText(path: string): Promise<string | null> {
  const text = await readPlain(path).catch(() => null);
  return text === null || text.length > MOST_LENGTH ? null : text;
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
  const file = isFile ? await readText(path) : null;
  if (file === null) return null;
  const env = isAbsolute(folder) ? await readText(join(folder, ".env")) : null;
  return { path, file, env: env ?? "", files: [] };
}
