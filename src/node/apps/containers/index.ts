/** Containers: everything on the engine beside our apps too, with its images, volumes and networks. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { ContainerInfo } from "../runtime/index.ts";
import { createContainerMeters } from "./container-stats.ts";
import { fail } from "./contract.ts";
import { containerMeanings } from "./events.ts";
import { findContainers } from "./find-containers.ts";
import { requireContainer } from "./list-containers.ts";
import type { Needs, Own } from "./needs.ts";
import { requireOwnNode } from "./owners.ts";
import { bindContainerRoutes } from "./routes.ts";
import { watchContainers } from "./watch-containers.ts";

export { fetchImage } from "./images/pull-image.ts";
export { nameOf } from "./list-containers.ts";

export const containersFeature = defineFeature({ name: "containers", errors: fail.table, events: containerMeanings });

/** What the engine has, whoever made it. */
export interface Containers extends Part {
  /** A container that no other Orrery looks after. Throws `container_not_found`, `owned_by_other_node`, `runtime_unavailable`. */
  get(id: string): Promise<ContainerInfo>;
}

/** The containers of the engine below this node. */
export function createContainers(needs: Needs): Containers {
  const own: Own = { ...needs, meters: createContainerMeters(needs), pulls: new Map() };
  needs.lists.finds.add(findContainers(own));
  return {
    feature: containersFeature,
    async get(id) {
      const info = await requireContainer(own, id);
      requireOwnNode(own, info.Name.replace(/^\//, ""), info.Config.Labels);
      return info;
    },
    routes: [bindContainerRoutes(own)],
    subscribe() {
      needs.runtime.watch(watchContainers(own));
      needs.runtime.watch(own.meters.watcher);
    },
  };
}
