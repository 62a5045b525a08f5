import { type Folder, type Folders, type Point, pathOf } from "./folders.ts";
import type { HeldPath } from "./held-paths.ts";
import type { Paths, Place, Route } from "./walk-path.ts";

/** Where paths lead, each walked once. */
export interface Routes {
  readonly paths: Paths;
  /** None for a path that the kernel refuses. */
  get(path: string): Route | undefined;
}

/** Walks the paths of these. */
export async function walkAll(paths: Paths, held: readonly HeldPath[]): Promise<Routes> {
  const routes = new Map<string, Route | null>();
  for (const { path } of held) if (!routes.has(path)) routes.set(path, await paths.walk(path));
  return { paths, get: (path) => routes.get(path) ?? undefined };
}

/** Somewhere that somebody writes. The top itself cannot be replaced from within: what lies below it can. */
interface Top {
  readonly place: Place;
  readonly writer: HeldPath;
}

/** Those that are written to, by the top of each. */
export type Tops = ReadonlyMap<Folder, readonly Top[]>;

/** Finds the tops of those that are written to. */
export function writersByTop(held: readonly HeldPath[], routes: Routes): Tops {
  const byTop = new Map<Folder, Top[]>();
  for (const writer of held) {
    const route = writer.isWritten ? routes.get(writer.path) : undefined;
    if (route === undefined) continue;
    for (const place of new Set([route.written, route.end])) {
      const those = byTop.get(place.folder);
      if (those) those.push({ place, writer });
      else byTop.set(place.folder, [{ place, writer }]);
    }
  }
  return byTop;
}

/** A folder that a place lies in, by any name of that place. */
interface Way {
  readonly folder: Folder;
  readonly place: Place;
  /** On the way from the place up to the folder: where the folder is that is mounted at `point`. */
  readonly by: { folder: Folder; point: Point } | null;
}

/** The folders that a place lies in: the next one, and those above that no place on the way to it has for its next one. */
function* listUps({ folder, up }: Place): Generator<Folder> {
  if (up === null) return;
  yield up.folder;
  // The whole server may be a part of its file system.
  if (up.up === null) yield* listAbove(up.folder);
  if (folder.up !== up.folder) yield* listAbove(folder);
  for (const lower of up.lowers) {
    yield lower;
    yield* listAbove(lower);
  }
}

function* listAbove({ up }: Folder): Generator<Folder> {
  for (let at = up; at !== null; at = at.up) yield at;
}

/**
 * All folders that these places lie in. Who has a folder has what is mounted in it as well, so that a folder lies in what any of its
 * mount points lies in.
 */
export function* listWays(places: readonly Place[], { pointsOf }: Folders): Generator<Way> {
  const mounted = new Set<Folder>();
  for (const place of places) {
    for (const folder of listUps(place)) {
      yield { folder, place, by: null };
      const points = pointsOf(folder);
      if (points.length === 0 || mounted.has(folder)) continue;
      mounted.add(folder);
      for (const point of points)
        for (let at = point.up; at !== null; at = at.up) yield { folder: at.folder, place, by: { folder, point } };
    }
  }
}

/** The names from a folder down to another; null where it does not lie there. */
function namesBelow(from: Folder, to: Folder): string | null {
  let names = "";
  for (let at = to; at !== from; at = at.up) {
    if (at.up === null) return null;
    names = `/${at.name}${names}`;
  }
  return names;
}

/** The names from a folder down to a place, which lies in it. */
function namesTo({ folder, up, name }: Place, from: Folder): string {
  for (const one of up ? [up.folder, ...up.lowers] : []) {
    const names = namesBelow(from, one);
    if (names !== null) return `${names}/${name}`;
  }
  return namesBelow(from, folder) ?? "";
}

/** How something of a route lies in a top. */
export interface Lying {
  readonly writer: HeldPath;
  /** The full path of the top. */
  readonly top: string;
  /** Where it does so by another name of the server's: what lies there, and that name. */
  readonly alias: { path: string; other: string } | null;
}

const join = (folder: string, names: string): string => (folder === "/" ? names : `${folder}${names}`);

/** Whoever may write to a folder in which something lies that is looked up on a route, each once, and by one name where it is so. */
export function topsAbove({ places }: Route, byTop: Tops, { paths }: Routes): Lying[] {
  const found = new Map<HeldPath, Lying>();
  for (const { folder, place, by } of listWays(places, paths.folders)) {
    for (const { place: top, writer } of byTop.get(folder) ?? []) {
      const isPlain = top === place.up;
      if (isPlain ? found.get(writer)?.alias === null : found.has(writer)) continue;
      const other = by ? join(pathOf(by.point), namesTo(place, by.folder)) : join(pathOf(top), namesTo(place, folder));
      found.set(writer, { writer, top: pathOf(top), alias: isPlain ? null : { path: pathOf(place), other } });
    }
  }
  return [...found.values()];
}

/** Says of a full path, which is shown like this, by what other name it lies somewhere. */
export function showAlias(path: string, shown: string, alias: NonNullable<Lying["alias"]>): string {
  const isOnIt = path === alias.path || path.startsWith(`${alias.path}/`);
  if (isOnIt) return `${shown}, which is ${alias.other}${path.slice(alias.path.length)}`;
  return `${shown}, on the way to which ${alias.path} is ${alias.other}`;
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
