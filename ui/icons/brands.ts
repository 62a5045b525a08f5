import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brands } from "./brand-names.ts";

/** The sprite of the apps' own marks, as Simple Icons draws them. Throws when one is not there any more. */
export function buildBrandSprite(folder: string): string {
  const symbols = Object.entries(brands).map(([name, file]) => symbolOf(folder, name, file));
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}

function symbolOf(folder: string, name: string, file: string): string {
  const text = readFileSync(join(folder, `${file}.svg`), "utf8");
  const paths = text.match(/<path [^>]*\/>/g);
  if (!paths) throw new Error(`${file}.svg has no path`);
  return `<symbol id="${name}" viewBox="0 0 24 24" fill="currentColor">${paths.join("")}</symbol>`;
}
