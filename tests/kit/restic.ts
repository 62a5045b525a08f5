/** The real restic program, for tests that read what it writes. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "./scratch.ts";

export const RESTIC_PASSWORD = "correct horse, battery staple";

/** A repository on disk and the program that writes to it. */
export interface ResticProgram {
  path: string;
  /** Runs it and answers what it says; throws when it fails. */
  run(...words: string[]): string;
}

/** Makes a repository of that version of the format. */
export function makeRestic(version: 1 | 2): ResticProgram {
  const path = makeScratch("restic");
  const cache = makeScratch("restic-cache");
  mkdirSync(cache, { recursive: true });
  const env = { ...process.env, RESTIC_PASSWORD, RESTIC_CACHE_DIR: cache, RESTIC_REPOSITORY: path };
  const run = (...words: string[]): string => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["restic", ...words], { env });
    if (exitCode !== 0) throw new Error(`restic ${words.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  };
  run("init", "--repository-version", String(version));
  return { path, run };
}

/** The files of a folder of a repository. */
export const resticFiles = ({ path }: ResticProgram, folder: string): string[] =>
  [...new Bun.Glob("**/*").scanSync({ cwd: join(path, folder) })].sort().map((name) => join(path, folder, name));
