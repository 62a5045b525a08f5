import { dirname, resolve } from "node:path";
import type { HeldPath } from "./held-paths.ts";
import { type Route, walkPath } from "./walk-path.ts";

/** Where paths lead, each walked once. */
export type Routes = ReadonlyMap<string, Route>;

/** Walks the paths of these. */
export async function walkAll(held: readonly HeldPath[]): Promise<Routes> {
  const routes = new Map<string, Route>();
  for (const { path } of held) if (!routes.has(path)) routes.set(path, await walkPath(path));
  return routes;
}

/** Those that are written to, by the top of each. The top itself cannot be replaced from within: what lies below it can. */
export function writersByTop(held: readonly HeldPath[], routes: Routes): Map<string, HeldPath[]> {
  const byTop = new Map<string, HeldPath[]>();
  for (const each of held) {
    if (!each.isWritten) continue;
    for (const top of new Set([resolve(each.path), routes.get(each.path)?.end ?? each.path])) {
      const those = byTop.get(top);
      if (those) those.push(each);
      else byTop.set(top, [each]);
    }
  }
  return byTop;
}

/** Those of the tops in which something lies that is looked up on a route. */
export function topsAbove({ places }: Route, byTop: ReadonlyMap<string, unknown>): string[] {
  return [...new Set(places.map((place) => dirname(place)))].filter((top) => byTop.has(top));
}

/** So many are named of a list. */
const NAMED = 3;

/** Names without repeats, the first ones of many. */
export function nameAll(names: readonly string[]): string {
  const all = [...new Set(names)].sort();
  const [shown, rest] = [all.slice(0, NAMED), all.length - NAMED];
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(" and ");
}

/** A path as the project with this folder writes it. */
export const showPath = (folder: string, path: string): string =>
  path.startsWith(`${folder}/`) ? `.${path.slice(folder.length)}` : path;
