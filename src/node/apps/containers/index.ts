/** Containers: everything on the engine beside our apps too, with its images, volumes and networks. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import type { ContainerInfo } from "../runtime/index.ts";
import { createContainerMeters } from "./container-stats.ts";
import { fail } from "./contract.ts";
import { containerMeanings } from "./events.ts";
import { findContainers } from "./find-containers.ts";
import { checkDueImages } from "./image-checks/check-images.ts";
import { createImageCheckState } from "./image-checks/state.ts";
import { requireContainer } from "./list-containers.ts";
import imageChecks from "./migrations/0001_image_checks.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { requireOwnNode } from "./owners.ts";
import { bindContainerRoutes } from "./routes.ts";
import { CONTAINER_SETTINGS } from "./settings.ts";
import { watchContainers } from "./watch-containers.ts";

export { nameOf } from "./container-name.ts";
export { fetchImage } from "./images/pull-image.ts";
export { KEY_VOLUME_LABEL } from "./mountable.ts";
export { PROJECT_LABEL } from "./owners.ts";

export const containersFeature = defineFeature({
  name: "containers",
  migrations: [imageChecks],
  errors: fail.table,
  settings: CONTAINER_SETTINGS,
  events: containerMeanings,
});

/** What the engine has, whoever made it. */
export interface Containers extends Part {
  /** A container that no other Orrery looks after. Throws `container_not_found`, `owned_by_other_node`, `runtime_unavailable`. */
  get(id: string): Promise<ContainerInfo>;
}

/** The containers of the engine below this node. */
export function createContainers(needs: Needs): Containers {
  const own: Own = {
    ...needs,
    meters: createContainerMeters(needs),
    pulls: new Map(),
    imageChecks: createImageCheckState(),
  };
  needs.lists.finds.add(findContainers(own));
  return {
    feature: containersFeature,
    async get(id) {
      const info = await requireContainer(own, id);
      requireOwnNode(own, info.Name.replace(/^\//, ""), info.Config.Labels);
      return info;
    },
    routes: [bindContainerRoutes(own)],
    jobs: [{ name: "containers.check_images", everyMs: hours(1), run: () => checkDueImages(own) }],
    subscribe() {
      needs.runtime.watch(watchContainers(own));
      needs.runtime.watch(own.meters.watcher);
    },
  };
}
