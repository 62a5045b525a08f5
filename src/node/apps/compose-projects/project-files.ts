import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ProjectFile } from "./contract.ts";
import { adoptFurther, readFurther, removeFurther, replaceText, writeFurther } from "./further-files.ts";
import type { Own } from "./needs.ts";
import { readPlain } from "./read-plain.ts";

/** The texts of a project. */
export interface ProjectTexts {
  file: string;
  env: string;
  files: ProjectFile[];
}

type Deps = Pick<Own, "config">;

const FOLDER = "compose";
const FILES = { file: "compose.yaml", env: ".env" } as const;
/** Ends the name of a text that waits for its deploy to go well. */
const DRAFT = ".next" as const;
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
  const file = await readPlain(join(folder, "compose.yaml"));
  if (file === null) return null;
  const env = (await readPlain(join(folder, ".env"))) ?? "";
  return { file, env, files: await readFurther(folder, "") };
}

/** The texts of a project that was let go of; null where there are none. */
export async function readLetGo(deps: Deps, name: string): Promise<(ProjectTexts & { path: string }) | null> {
  const folder = folderOf(deps, name);
  if (!existsSync(join(folder, LET_GO))) return null;
  const path = join(folder, FILES.file);
  const file = await readPlain(path);
  if (file === null) return null;
  const env = (await readPlain(join(folder, FILES.env))) ?? "";
  return { path, file, env, files: await readFurther(folder, "") };
}

/** Keeps a project's texts where `docker compose` would look for them. */
export async function writeTexts(deps: Deps, name: string, { file, env, files }: ProjectTexts): Promise<void> {
  const folder = folderOf(deps, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(join(folder, LET_GO), { force: true });
  // A draft of an earlier deploy would come into their place.
  await removeDraft(folder);
  await replaceText(join(folder, FILES.env), env);
  await writeFurther(folder, files, "");
  await replaceText(join(folder, FILES.file), file);
}

/** Keeps texts beside those that run, until a deploy of them has gone well. */
export async function writeDraft(deps: Deps, name: string, { file, env, files }: ProjectTexts): Promise<void> {
  const folder = folderOf(deps, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceText(join(folder, FILES.env + DRAFT), env);
  await writeFurther(folder, files, DRAFT);
  await replaceText(join(folder, FILES.file + DRAFT), file);
}

async function removeDraft(folder: string): Promise<void> {
  for (const text of [FILES.env, FILES.file]) await rm(join(folder, text + DRAFT), { force: true });
  await removeFurther(folder, DRAFT);
}

/** Texts whose latest deploy has not gone well; null where there are none. */
export async function readDraft(deps: Deps, name: string): Promise<ProjectTexts | null> {
  const folder = folderOf(deps, name);
  const file = await readPlain(join(folder, FILES.file + DRAFT));
  if (file === null) return null;
  const env = (await readPlain(join(folder, FILES.env + DRAFT))) ?? "";
  return { file, env, files: await readFurther(folder, DRAFT) };
}

/** Gives the draft the place of the texts; what was renamed before a crash is not looked for again. */
export async function adoptDraft(deps: Deps, name: string): Promise<void> {
  const folder = folderOf(deps, name);
  await adoptFurther(folder);
  for (const file of [FILES.env, FILES.file]) {
    await rename(join(folder, file + DRAFT), join(folder, file)).catch(orMissing(undefined));
  }
  await rm(join(folder, LET_GO), { force: true });
}

/** Looks after a project no more; its texts stay where its containers say that they are. */
export async function letGo(deps: Deps, name: string): Promise<void> {
  const folder = folderOf(deps, name);
  await removeDraft(folder);
  await replaceText(join(folder, LET_GO), "");
}

/** Forgets a project's texts. What its containers have in its folder stays, unless that is to go too. */
export async function removeTexts(deps: Deps, name: string, withData: boolean): Promise<void> {
  const folder = folderOf(deps, name);
  if (withData) return rm(folder, { recursive: true, force: true });
  await removeDraft(folder);
  await removeFurther(folder, "");
  for (const text of [FILES.env, FILES.file]) await rm(join(folder, text), { force: true });
  // With something in it, it stays.
  await rmdir(folder).catch(() => {});
}
