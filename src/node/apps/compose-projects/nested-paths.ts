import { dirname, resolve } from "node:path";
import type { PlanDanger } from "./contract.ts";
import type { HeldPath } from "./held-paths.ts";
import { type Route, walkPath } from "./walk-path.ts";

const KIND = "nested_path";
/** So many are named of those who may write somewhere. */
const NAMED = 3;

/** Whether a danger is one of these. */
export const isNestedDanger = ({ id, service }: Pick<PlanDanger, "id" | "service">): boolean =>
  id.startsWith(`${service}/${KIND}:`);

/** Where somebody may write on the way to a path. */
interface Outer {
  path: string;
  writers: string;
}

function nameAll(names: readonly string[]): string {
  const all = [...new Set(names)].sort();
  const [shown, rest] = [all.slice(0, NAMED), all.length - NAMED];
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(" and ");
}

/** By the top of each mount that is written to. The top itself cannot be replaced from within: what lies below it can. */
function writersByTop(held: readonly HeldPath[], routes: ReadonlyMap<string, Route>): Map<string, HeldPath[]> {
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

/**
 * Paths that a container has and another one can replace, because they lie in a folder that it may write to: Docker looks a path up at
 * each start, and follows what it finds there to wherever it leads. Each has an id of its own, once for a service.
 */
export async function findNested(folder: string, held: readonly HeldPath[]): Promise<PlanDanger[]> {
  const routes = new Map<string, Route>();
  for (const { path } of held) if (!routes.has(path)) routes.set(path, await walkPath(path));
  const byTop = writersByTop(held, routes);
  const show = (path: string) => (path.startsWith(`${folder}/`) ? `.${path.slice(folder.length)}` : path);
  const outers = new Map<string, Outer | null>();
  for (const [path, { places }] of routes) {
    const tops = [...new Set(places.map((place) => dirname(place)))].filter((top) => byTop.has(top));
    const writers = tops.flatMap((top) => byTop.get(top) ?? []).map(({ holder }) => holder);
    outers.set(path, tops[0] === undefined ? null : { path: show(tops[0]), writers: nameAll(writers) });
  }
  const found = new Map<string, PlanDanger>();
  // What the file says is told before what is there now, and what is written to before what is read.
  const inOrder = held.toSorted((one, other) => rank(one) - rank(other));
  for (const { service, path, isWritten, from } of inOrder) {
    const outer = outers.get(path);
    if (service === null || !outer) continue;
    const shown = show(resolve(path));
    const id = `${service}/${KIND}:${shown}`;
    if (found.has(id)) continue;
    const who = from === "file" ? service : `${service}, as it is now and would come back if this failed,`;
    const what = isWritten ? "reads any file of this server and may write to it" : "reads any file of this server";
    const text = `${who} has ${shown}, which lies in ${outer.path}, where ${outer.writers} may write: a link put in its place leads anywhere, and from its next start on ${service} ${what}.`;
    found.set(id, { id, service, text });
  }
  return [...found.values()];
}

const rank = ({ from, isWritten }: HeldPath): number => (from === "file" ? 0 : 2) + (isWritten ? 0 : 1);
