import type { ContainerSummary, Engine, NetworkSummary, VolumeSummary } from "../runtime/index.ts";
import type { Target } from "./container-request.ts";
import type { PlanDanger } from "./contract.ts";
import { listDangers } from "./dangers.ts";
import { findEngineFolders, listEnginePaths } from "./engine-folders.ts";
import { heldByFile, heldOnEngine } from "./held-paths.ts";
import type { Own } from "./needs.ts";
import { findNested, keptFolders } from "./nested-paths.ts";
import { listNetworkOptions } from "./network-options.ts";
import { findOuter } from "./outer-paths.ts";
import { listTakenAddresses } from "./taken-addresses.ts";
import { createPaths } from "./walk-path.ts";
import { walkAll } from "./written-tops.ts";

/** All that is on the engine, whoever's it is. */
export interface OnEngine {
  containers: readonly ContainerSummary[];
  volumes: readonly VolumeSummary[];
  networks: readonly NetworkSummary[];
}

/** Looks at the engine as it is now. */
export async function lookAtEngine(engine: Engine): Promise<OnEngine> {
  const [containers, volumes, networks] = await Promise.all([
    engine.listContainers({}),
    engine.listVolumes({}),
    engine.listNetworks({}),
  ]);
  return { containers, volumes, networks };
}

/** Every power over this server that a project would have, by its file and by what else is on the engine and on the server. */
export async function findDangers(
  own: Own,
  target: Target,
  { containers, volumes, networks }: OnEngine,
): Promise<PlanDanger[]> {
  const root = own.runtime.facts()?.root_dir || null;
  const held = [...heldByFile({ target, volumes, root }), ...heldOnEngine(target.name, containers, volumes)];
  const routes = await walkAll(createPaths(own.host), [...held, ...(root === null ? [] : listEnginePaths(root))]);
  return [
    ...listDangers(target.project),
    ...(await findNested({ folder: target.folder, kept: keptFolders(own) }, held, routes)),
    ...findOuter(target.folder, held, routes),
    ...(root === null ? [] : findEngineFolders(target.folder, held, routes, root)),
    ...listNetworkOptions(target, networks, own.host),
    ...listTakenAddresses(target, networks, own.host.reached()),
  ];
}
