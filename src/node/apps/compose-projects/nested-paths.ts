import { resolve } from "node:path";
import type { PlanDanger } from "./contract.ts";
import type { HeldPath } from "./held-paths.ts";
import { walkPath } from "./walk-path.ts";
import { nameAll, type Routes, showPath, topsAbove, writersByTop } from "./written-tops.ts";

const KIND = "nested_path";

/** Whether a danger is one of these. */
export const isNestedDanger = ({ id, service }: Pick<PlanDanger, "id" | "service">): boolean =>
  id.startsWith(`${service}/${KIND}:`);

/** Where somebody may write on the way to a path. */
interface Outer {
  path: string;
  writers: string;
}

/** Folders that matter to the paths of a project: its own, and that of all data of this node. */
interface Folders {
  folder: string;
  dataFolder: string;
}

/** Who of others may write somewhere, but for those that may write to all of our data folder: they have this node and this server anyway. */
async function findForeignWriters(held: readonly HeldPath[], routes: Routes, dataFolder: string): Promise<HeldPath[]> {
  const { end } = await walkPath(dataFolder);
  const isAbove = (top: string) => `${end}/`.startsWith(top === "/" ? top : `${top}/`);
  return held.filter(
    ({ service, isWritten, path }) => service === null && isWritten && !isAbove(routes.get(path)?.end ?? path),
  );
}

/**
 * Paths that a container of the project has and another one can replace, whoever's that is, because they lie in a folder that it may
 * write to: Docker looks a path up at each start, and follows what it finds there to wherever it leads. Each has an id of its own, once
 * for a service.
 */
export async function findNested(
  { folder, dataFolder }: Folders,
  held: readonly HeldPath[],
  routes: Routes,
): Promise<PlanDanger[]> {
  const own = held.filter(({ service }) => service !== null);
  const byTop = writersByTop([...own, ...(await findForeignWriters(held, routes, dataFolder))], routes);
  const outers = new Map<string, Outer | null>();
  for (const { path } of own) {
    const route = routes.get(path);
    if (route === undefined || outers.has(path)) continue;
    const tops = topsAbove(route, byTop);
    const writers = tops.flatMap((top) => byTop.get(top) ?? []).map(({ holder }) => holder);
    outers.set(path, tops[0] === undefined ? null : { path: showPath(folder, tops[0]), writers: nameAll(writers) });
  }
  // Where nothing is planned, what there is does not have to come back.
  const isPlan = own.some(({ from }) => from === "file");
  const found = new Map<string, PlanDanger>();
  // What the file says is told before what is there now, and what is written to before what is read.
  const inOrder = own.toSorted((one, other) => rank(one) - rank(other));
  for (const { service, path, isWritten, from, isKeptByEngine } of inOrder) {
    const outer = outers.get(path);
    if (service === null || !outer || isKeptByEngine) continue;
    const shown = showPath(folder, resolve(path));
    const id = `${service}/${KIND}:${shown}`;
    if (found.has(id)) continue;
    const who = from === "file" || !isPlan ? service : `${service}, as it is now and would come back if this failed,`;
    const what = isWritten ? "reads any file of this server and may write to it" : "reads any file of this server";
    const text = `${who} has ${shown}, which lies in ${outer.path}, where ${outer.writers} may write: a link put in its place leads anywhere, and from its next start on ${service} ${what}.`;
    found.set(id, { id, service, text });
  }
  return [...found.values()];
}

const rank = ({ from, isWritten }: HeldPath): number => (from === "file" ? 0 : 2) + (isWritten ? 0 : 1);
