/** Containers: everything on the engine beside our apps too, with its images, volumes and networks. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { containerMeanings } from "./events.ts";
import type { Needs, Own } from "./needs.ts";
import { bindContainerRoutes } from "./routes.ts";
import { watchContainers } from "./watch-containers.ts";

export const containersFeature = defineFeature({ name: "containers", errors: fail.table, events: containerMeanings });

/** What the engine has, whoever made it. */
export function createContainers(needs: Needs): Part {
  const own: Own = { ...needs, pulls: new Map() };
  return {
    feature: containersFeature,
    routes: [bindContainerRoutes(own)],
    subscribe: () => needs.runtime.watch(watchContainers(own)),
  };
}
