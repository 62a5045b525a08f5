import { join, resolve } from "node:path";
import type { PlanDanger } from "./contract.ts";
import { type HeldPath, volumesOf } from "./held-paths.ts";
import { type Routes, showPath, type Tops, topsAbove, writersByTop } from "./written-tops.ts";

const KIND = "engine_data";

const engineHas = (path: string): HeldPath => ({
  ...{ service: null, holder: "the Docker Engine", path, isWritten: true, from: "engine" },
});

/** Paths of an engine with this root, to be walked: all that it keeps, its volumes, and what lies where a volume would. */
export const listEnginePaths = (root: string): [all: HeldPath, volumes: HeldPath, volume: HeldPath] => [
  engineHas(root),
  engineHas(volumesOf(root)),
  engineHas(join(volumesOf(root), "_")),
];

/**
 * Folders that the file lets a container write to and that the engine's volumes lie in, or that it keeps all else in: whoever may write
 * there has what all containers have. The folder of a single volume is none: who else has that volume is told otherwise.
 */
export function findEngineFolders(
  folder: string,
  held: readonly HeldPath[],
  routes: Routes,
  root: string,
): PlanDanger[] {
  const own = held.filter(({ service, from, isWritten }) => service !== null && from === "file" && isWritten);
  const [all, volumes, volume] = listEnginePaths(root);
  const writersAbove = (path: string, byTop: Tops): HeldPath[] => {
    const route = routes.get(path);
    return route ? topsAbove(route, byTop, routes).map(({ writer }) => writer) : [];
  };
  const above = new Set(writersAbove(volume.path, writersByTop(own, routes)));
  const [inAll, inVolumes] = [writersByTop([all], routes), writersByTop([volumes], routes)];
  const isWithin = ({ path }: HeldPath) =>
    writersAbove(path, inAll).length > 0 && writersAbove(path, inVolumes).length === 0;
  const found = new Map<string, PlanDanger>();
  for (const each of own) {
    const { service, path } = each;
    if (service === null || !(above.has(each) || isWithin(each))) continue;
    const shown = showPath(folder, resolve(path));
    const id = `${service}/${KIND}:${shown}`;
    const text = `${service} may write to ${shown}, where the Docker Engine keeps its own: it has all data of all apps and projects, and control over this whole server.`;
    found.set(id, { id, service, text });
  }
  return [...found.values()];
}
