import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brandNames } from "./brand-names.ts";

/** Files of simple-icons that are not called like the template without its dashes. */
const OTHER_FILES: Record<string, string> = { "adguard-home": "adguard", "code-server": "coder" };

/**
 * The sprite of the apps' own marks, as Simple Icons draws them. The drawings are in the public domain (CC0); the marks
 * themselves belong to the projects and stand only for them. Throws when one is not there any more.
 */
export function buildBrandSprite(folder: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg">${[...brandNames].map((name) => symbolOf(folder, name)).join("")}</svg>`;
}

function symbolOf(folder: string, name: string): string {
  const file = OTHER_FILES[name] ?? name.replaceAll("-", "");
  const paths = readFileSync(join(folder, `${file}.svg`), "utf8").match(/<path [^>]*\/>/g);
  if (!paths) throw new Error(`${file}.svg has no path`);
  return `<symbol id="${name}" viewBox="0 0 24 24" fill="currentColor">${paths.join("")}</symbol>`;
}
