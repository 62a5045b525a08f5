/** Runtime: the one adapter to the Docker Engine, its state and its events. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { type Connection, createConnection } from "./connection.ts";
import { fail } from "./contract.ts";
import { runtimeMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindRuntimeRoutes } from "./routes.ts";

export type { Attachment } from "./attach.ts";
export type { RuntimeWatcher } from "./connection.ts";
export type { Engine } from "./engine.ts";
export { EngineError } from "./engine-wire.ts";
export { emptied } from "./given-labels.ts";
export { tellMarked } from "./marked-programs.ts";
export { registryHostOf } from "./registry-host.ts";
export type {
  CheckConfig,
  ContainerInfo,
  ContainerMount,
  ContainerSpec,
  ContainerSummary,
} from "./verbs/containers.ts";
export type { ImageInfo, ImageSummary, PullLine, RegistryLogin } from "./verbs/images.ts";
export type { NetworkInput, NetworkSummary } from "./verbs/networks.ts";
export type { OutputLine } from "./verbs/output.ts";
export type { SwarmFacts, SwarmMember } from "./verbs/swarm.ts";
export type { EngineEvent } from "./verbs/system.ts";
export type { DiskUse, VolumeSummary } from "./verbs/volumes.ts";

export const runtimeFeature = defineFeature({ name: "runtime", errors: fail.table, events: runtimeMeanings });

/** The one way to containers. */
export interface Runtime extends Part, Connection {
  start(): void;
}

/** A runtime that connects once it is started. */
export function createRuntime(needs: Needs): Runtime {
  const { config, clock, log, signal, bus, lists } = needs;
  const connection = createConnection({
    socketPath: config.docker_socket,
    clock,
    log,
    signal,
    onChange: (status) => bus.emit("runtime.changed", { runtime: status }),
  });
  lists.engines.add(() => {
    const { state, version } = connection.status();
    return state === "missing" ? null : { version, answers: version !== null, too_old: state === "too_old" };
  });
  lists.overview.add({ name: "containers", read: () => countContainers(connection) });
  return { ...connection, feature: runtimeFeature, routes: [bindRuntimeRoutes(connection)] };
}

/** All containers of the engine, ours or not; none without an engine. */
async function countContainers({ engine }: Connection): Promise<{ running: number; total: number }> {
  const containers = (await engine()?.listContainers({})) ?? [];
  return { running: containers.filter(({ State }) => State === "running").length, total: containers.length };
}
