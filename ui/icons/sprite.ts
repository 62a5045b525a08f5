import { readFileSync } from "node:fs";
import { join } from "node:path";
import { icons } from "./names.ts";

/**
 * Builds the SVG sprite text from names.ts. Line glyphs share one 1.75 px stroke on a 24 px grid.
 * Throws when a name is in neither orbit.svg nor lucide-static.
 */
export function buildSprite(folder: string, lucide: string): string {
  const own = readFileSync(join(folder, "orbit.svg"), "utf8");
  const symbols = Object.entries(icons).map(([name, source]) =>
    source === "orbit" ? ownSymbol(own, name) : lucideSymbol(lucide, name, source),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}

function ownSymbol(sheet: string, name: string): string {
  const match = new RegExp(`<symbol id="${name}"[^>]*>(.*?)</symbol>`, "s").exec(sheet);
  const inner = match?.[1];
  if (inner === undefined) throw new Error(`orbit.svg has no symbol "${name}"`);
  if (name === "mark") return `<symbol id="mark" viewBox="0 0 24 24">${inner}</symbol>`;
  if (name.startsWith("st-")) return `<symbol id="${name}" viewBox="0 0 10 10">${inner}</symbol>`;
  return lineSymbol(name, inner);
}

function lucideSymbol(folder: string, name: string, file: string): string {
  const text = readFileSync(join(folder, `${file}.svg`), "utf8");
  const inner = /<svg[^>]*>(.*)<\/svg>/s.exec(text)?.[1] ?? "";
  return lineSymbol(name, inner.replace(/\s+/g, " ").replaceAll("> <", "><").replaceAll(" />", "/>").trim());
}

function lineSymbol(name: string, inner: string): string {
  const stroke = 'fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"';
  return `<symbol id="${name}" viewBox="0 0 24 24" ${stroke}>${inner}</symbol>`;
}
