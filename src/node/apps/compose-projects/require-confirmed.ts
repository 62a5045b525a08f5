import { nodeId } from "../apps/index.ts";
import type { Engine } from "../runtime/index.ts";
import { fail } from "./contract.ts";
import { heldOnEngine } from "./held-paths.ts";
import { PROJECT_LABEL } from "./labels.ts";
import type { Own } from "./needs.ts";
import { findNested, keptFolders } from "./nested-paths.ts";
import { isFree } from "./project-containers.ts";
import { folderOf, listKept } from "./project-files.ts";
import { listConfirmed } from "./store.ts";
import { createPaths } from "./walk-path.ts";
import { walkAll } from "./written-tops.ts";

/**
 * Throws `compose_unconfirmed` where a container of the project has a path that another one can replace, and nobody has confirmed that
 * with a deploy: it was deployed before plans named it, or who may write there has come since. For everything that starts containers anew.
 */
export async function requireConfirmed(own: Own, engine: Engine, project: string): Promise<void> {
  const [containers, volumes] = await Promise.all([engine.listContainers({}), engine.listVolumes({})]);
  const held = heldOnEngine(project, containers, volumes);
  const folders = { folder: folderOf(own, project), kept: keptFolders(own) };
  const confirmed = listConfirmed(own.db, project);
  const routes = await walkAll(createPaths(own.host), held);
  const open = (await findNested(folders, held, routes)).filter(({ id }) => !confirmed.has(id));
  if (open[0]) throw fail("compose_unconfirmed", { text: open[0].text, ids: open.map(({ id }) => id) });
}

/** The same for one container with these labels: those of a project that is kept here start only as the project does. */
export async function requireStartable(own: Own, labels: Readonly<Record<string, string>>): Promise<void> {
  const project = labels[PROJECT_LABEL];
  if (project === undefined || !isFree({ Labels: labels }, nodeId(own.seal))) return;
  if ((await listKept(own)).includes(project)) await requireConfirmed(own, own.runtime.requireEngine(), project);
}
