import { Glob } from "bun";

/** One source file of the checkout. */
export interface Source {
  path: string;
  text: string;
}

const ROOT = new URL("../..", import.meta.url).pathname;

/** All files matching the patterns, paths from the repository's root. */
export async function readSources(...patterns: string[]): Promise<Source[]> {
  const sources: Source[] = [];
  for (const pattern of patterns) {
    for await (const path of new Glob(pattern).scan({ cwd: ROOT })) {
      if (path.includes("node_modules") || /^embed\/\w+\/ui\//.test(path)) continue;
      sources.push({ path, text: await Bun.file(`${ROOT}${path}`).text() });
    }
  }
  return sources;
}

/** Folder-free name: true for a file that only tests use. */
export const isTest = (path: string): boolean => path.endsWith(".test.ts") || path.startsWith("tests/");
