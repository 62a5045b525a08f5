import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Own } from "./needs.ts";

/** The texts of a project. */
export interface ProjectTexts {
  file: string;
  env: string;
}

type Deps = Pick<Own, "config">;

const FOLDER = "compose";
const FILES = { file: "compose.yaml", env: ".env" } as const;
/** Ends the name of a text that waits for its deploy to go well. */
const DRAFT = ".next";
/** Lies beside the texts of a project that is not looked after any more. */
const LET_GO = ".let-go";

const rootOf = ({ config }: Deps): string => resolve(config.data_dir, FOLDER);

/** Where a project's texts are kept. */
export const folderOf = (deps: Deps, name: string): string => join(rootOf(deps), name);

function orMissing<Empty>(empty: Empty) {
  return (error: unknown): Empty => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return empty;
    throw error;
  };
}

/** Names of all projects that are kept here: drafts of one that was never deployed do not count, nor what was let go of. */
export async function listKept(deps: Deps): Promise<string[]> {
  const names = await readdir(rootOf(deps)).catch(orMissing<string[]>([]));
  return names.filter((name) => isKept(folderOf(deps, name))).sort();
}

const isKept = (folder: string): boolean => existsSync(join(folder, FILES.file)) && !existsSync(join(folder, LET_GO));

/** The texts of a project; null when it is not kept here. */
export async function readTexts(deps: Deps, name: string): Promise<ProjectTexts | null> {
  const folder = folderOf(deps, name);
  if (!isKept(folder)) return null;
  const file = await readFile(join(folder, "compose.yaml"), "utf8").catch(orMissing(null));
  if (file === null) return null;
  return { file, env: await readFile(join(folder, ".env"), "utf8").catch(orMissing("")) };
}

/** The texts of a project that was let go of; null where there are none. */
export async function readLetGo(deps: Deps, name: string): Promise<(ProjectTexts & { path: string }) | null> {
  const folder = folderOf(deps, name);
  if (!existsSync(join(folder, LET_GO))) return null;
  const path = join(folder, FILES.file);
  const file = await readFile(path, "utf8").catch(orMissing(null));
  if (file === null) return null;
  return { path, file, env: await readFile(join(folder, FILES.env), "utf8").catch(orMissing("")) };
}

/** Another text in one step: a power cut leaves the old one or the new one. Others of the server cannot read it. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}

/** Keeps a project's texts where `docker compose` would look for them. */
export async function writeTexts(deps: Deps, name: string, { file, env }: ProjectTexts): Promise<void> {
  const folder = folderOf(deps, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(join(folder, LET_GO), { force: true });
  // A draft of an earlier deploy would come into their place.
  for (const text of [FILES.env, FILES.file]) await rm(join(folder, text + DRAFT), { force: true });
  await replaceFile(join(folder, FILES.env), env);
  await replaceFile(join(folder, FILES.file), file);
}

/** Keeps texts beside those that run, until a deploy of them has gone well. */
export async function writeDraft(deps: Deps, name: string, { file, env }: ProjectTexts): Promise<void> {
  const folder = folderOf(deps, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(join(folder, FILES.env + DRAFT), env);
  await replaceFile(join(folder, FILES.file + DRAFT), file);
}

/** Texts whose latest deploy has not gone well; null where there are none. */
export async function readDraft(deps: Deps, name: string): Promise<ProjectTexts | null> {
  const folder = folderOf(deps, name);
  const file = await readFile(join(folder, FILES.file + DRAFT), "utf8").catch(orMissing(null));
  if (file === null) return null;
  return { file, env: await readFile(join(folder, FILES.env + DRAFT), "utf8").catch(orMissing("")) };
}

/** Gives the draft the place of the texts; what was renamed before a crash is not looked for again. */
export async function adoptDraft(deps: Deps, name: string): Promise<void> {
  const folder = folderOf(deps, name);
  for (const file of [FILES.env, FILES.file]) {
    await rename(join(folder, file + DRAFT), join(folder, file)).catch(orMissing(undefined));
  }
  await rm(join(folder, LET_GO), { force: true });
}

/** Looks after a project no more; its texts stay where its containers say that they are. */
export async function letGo(deps: Deps, name: string): Promise<void> {
  const folder = folderOf(deps, name);
  for (const text of [FILES.env, FILES.file]) await rm(join(folder, text + DRAFT), { force: true });
  await replaceFile(join(folder, LET_GO), "");
}

/** Forgets a project's texts. What its containers have in its folder stays, unless that is to go too. */
export async function removeTexts(deps: Deps, name: string, withData: boolean): Promise<void> {
  const folder = folderOf(deps, name);
  if (withData) return rm(folder, { recursive: true, force: true });
  for (const text of [FILES.env, FILES.file]) {
    for (const path of [text + DRAFT, text]) await rm(join(folder, path), { force: true });
  }
  // With something in it, it stays.
  await rmdir(folder).catch(() => {});
}
