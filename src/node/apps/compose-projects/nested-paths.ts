import { resolve } from "node:path";
import type { PlanDanger } from "./contract.ts";
import type { Folder } from "./folders.ts";
import { type HeldPath, volumesOf } from "./held-paths.ts";
import type { Own } from "./needs.ts";
import type { Place } from "./walk-path.ts";
import {
  type Lying,
  listWays,
  nameAll,
  type Routes,
  showAlias,
  showPath,
  topsAbove,
  writersByTop,
} from "./written-tops.ts";

const KIND = "nested_path";

/** Whether a danger is one of these. */
export const isNestedDanger = ({ id, service }: Pick<PlanDanger, "id" | "service">): boolean =>
  id.startsWith(`${service}/${KIND}:`);

/** Where somebody may write on the way to a path. */
interface Outer {
  first: Lying;
  writers: string;
}

/** Folders that matter to the paths of a project. */
interface Folders {
  /** Its own. */
  folder: string;
  /** Those where whoever may write to all of one has this server anyway: what this node keeps, and what the engine does. */
  kept: readonly string[];
}

/** What this node and its engine keep; the engine's where it tells that. */
export const keptFolders = ({ config, runtime }: Pick<Own, "config" | "runtime">): string[] => {
  const root = runtime.facts()?.root_dir || null;
  return [config.data_dir, ...(root === null ? [] : [volumesOf(root)])];
};

/** A place with all that it lies in. */
function listLine(end: Place): Place[] {
  const line: Place[] = [];
  for (let at: Place | null = end; at !== null; at = at.up) line.push(at);
  return line;
}

/** Who of others may write somewhere, but for those that may write to all of what is kept. */
async function findForeignWriters(
  held: readonly HeldPath[],
  routes: Routes,
  kept: readonly string[],
): Promise<HeldPath[]> {
  const above = new Set<Folder>();
  for (const folder of kept) {
    const end = (await routes.paths.walk(folder))?.end;
    if (!end) continue;
    above.add(end.folder);
    for (const way of listWays(listLine(end), routes.paths.folders)) above.add(way.folder);
  }
  return held.filter(({ service, isWritten, path }) => {
    const top = routes.get(path)?.end.folder;
    return service === null && isWritten && top !== undefined && !above.has(top);
  });
}

/**
 * Paths that a container of the project has and another one can replace, whoever's that is, because they lie in a folder that it may
 * write to: Docker looks a path up at each start, and follows what it finds there to wherever it leads. Each has an id of its own, once
 * for a service.
 */
export async function findNested(
  { folder, kept }: Folders,
  held: readonly HeldPath[],
  routes: Routes,
): Promise<PlanDanger[]> {
  const own = held.filter(({ service }) => service !== null);
  const byTop = writersByTop([...own, ...(await findForeignWriters(held, routes, kept))], routes);
  const outers = new Map<string, Outer | null>();
  for (const { path } of own) {
    const route = routes.get(path);
    if (route === undefined || outers.has(path)) continue;
    const lying = topsAbove(route, byTop, routes);
    // What everybody sees is told before what has another name.
    const first = lying.find(({ alias }) => alias === null) ?? lying[0];
    const writers = nameAll(lying.map(({ writer }) => writer.holder));
    outers.set(path, first === undefined ? null : { first, writers });
  }
  // Where nothing is planned, what there is does not have to come back.
  const isPlan = own.some(({ from }) => from === "file");
  const found = new Map<string, PlanDanger>();
  // What the file says is told before what is there now, and what is written to before what is read.
  const inOrder = own.toSorted((one, other) => rank(one) - rank(other));
  for (const { service, path, isWritten, from } of inOrder) {
    const outer = outers.get(path);
    if (service === null || !outer) continue;
    const shown = showPath(folder, resolve(path));
    const id = `${service}/${KIND}:${shown}`;
    if (found.has(id)) continue;
    const who = from === "file" || !isPlan ? service : `${service}, as it is now and would come back if this failed,`;
    const what = isWritten ? "reads any file of this server and may write to it" : "reads any file of this server";
    const { top, alias } = outer.first;
    const lies = alias
      ? `${showAlias(resolve(path), shown, alias)} and lies in ${showPath(folder, top)}`
      : `${shown}, which lies in ${showPath(folder, top)}`;
    const text = `${who} has ${lies}, where ${outer.writers} may write: a link put in its place leads anywhere, and from its next start on ${service} ${what}.`;
    found.set(id, { id, service, text });
  }
  return [...found.values()];
}

const rank = ({ from, isWritten }: HeldPath): number => (from === "file" ? 0 : 2) + (isWritten ? 0 : 1);
