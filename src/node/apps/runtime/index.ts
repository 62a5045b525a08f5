/** Runtime: the one adapter to the Docker Engine, its state and its events. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { runtimeRoutes } from "./routes.ts";

export { createRuntime, type Runtime, type RuntimeWatcher } from "./connection.ts";
export type { RuntimeStatus } from "./contract.ts";
export type { Engine } from "./engine.ts";
export type { ContainerInfo, ContainerSpec, ContainerSummary } from "./verbs/containers.ts";
export type { PullLine, RegistryLogin } from "./verbs/images.ts";
export type { OutputLine } from "./verbs/output.ts";
export type { SwarmFacts, SwarmMember } from "./verbs/swarm.ts";
export type { EngineEvent } from "./verbs/system.ts";
export type { DiskUse } from "./verbs/volumes.ts";
export { EngineError } from "./wire.ts";

export const runtime = defineContextFeature<NodeContext>({
  name: "runtime",
  errors: fail.table,
  routes: runtimeRoutes,
  start: (ctx) => ctx.runtime.start(),
});
