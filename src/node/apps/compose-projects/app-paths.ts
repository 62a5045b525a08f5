import type { AppPaths, PathDanger } from "../../base.ts";
import { type HeldPath, heldOnEngine } from "./held-paths.ts";
import type { Own } from "./needs.ts";
import { findNested, keptFolders } from "./nested-paths.ts";
import { findOuter } from "./outer-paths.ts";
import { createPaths } from "./walk-path.ts";
import { walkAll } from "./written-tops.ts";

/** The folder and the name of a project, where there is none. */
const NONE = "\0";

/** The same look for an app: what others can replace of its paths, and it of theirs. */
export async function findAppDangers(own: Own, { paths, isOwn }: AppPaths): Promise<PathDanger[]> {
  const engine = own.runtime.requireEngine();
  const [containers, volumes] = await Promise.all([engine.listContainers({}), engine.listVolumes({})]);
  const others = containers.filter(({ Labels }) => !isOwn(Labels));
  const held: HeldPath[] = [
    ...paths.map((path) => ({ ...path, holder: path.service, from: "file" as const })),
    ...heldOnEngine(NONE, others, volumes),
  ];
  const routes = await walkAll(createPaths(own.host), held);
  const nested = await findNested({ folder: NONE, kept: keptFolders(own) }, held, routes);
  return [
    ...nested.map((danger) => ({ ...danger, isNested: true })),
    ...findOuter(NONE, held, routes).map((danger) => ({ ...danger, isNested: false })),
  ];
}
