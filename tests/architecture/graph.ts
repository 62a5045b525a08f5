import { dirname, join } from "node:path";
import type { Source } from "./sources.ts";

const IMPORT = /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*["'](\.[^"']+)["']|import\(\s*["'](\.[^"']+)["']\s*\)/g;

/** Repository paths that a file names in its imports and re-exports, those of types included. */
export function namedBy({ path, text }: Source): string[] {
  return [...text.matchAll(IMPORT)].map(([, from, lazy]) => join(dirname(path), from ?? lazy ?? ""));
}

/** Sets of files that name each other in a circle, largest first (Tarjan's algorithm). */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  function visit(path: string): number {
    const own = numbers.size;
    numbers.set(path, own);
    lowest.set(path, own);
    stack.push(path);
    for (const target of graph.get(path) ?? []) {
      if (!graph.has(target)) continue;
      if (!numbers.has(target)) lowest.set(path, Math.min(lowest.get(path) ?? own, visit(target)));
      if (stack.includes(target)) lowest.set(path, Math.min(lowest.get(path) ?? own, numbers.get(target) ?? own));
    }
    if (lowest.get(path) === own) {
      const circle = stack.splice(stack.indexOf(path));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return lowest.get(path) ?? own;
  }

  for (const path of graph.keys()) if (!numbers.has(path)) visit(path);
  return circles.toSorted((a, b) => b.length - a.length);
}
