import type { Asker } from "../../platform/operations/index.ts";
import type { ContainerInfo } from "../runtime/index.ts";
import { type Container, type ContainerEvents, fail } from "./contract.ts";
import { getContainer, requireContainer } from "./list-containers.ts";
import type { Own } from "./needs.ts";
import { requireNoOwner } from "./owners.ts";
import { orRefused } from "./refusals.ts";

/** What can be done with a container that nobody looks after. */
export type ContainerVerb = "start" | "stop" | "restart";

const EVENTS = {
  start: "container.started",
  stop: "container.stopped",
  restart: "container.restarted",
} as const satisfies Record<ContainerVerb, keyof ContainerEvents>;

async function findForeign(own: Own, id: string): Promise<{ info: ContainerInfo; name: string }> {
  const info = await requireContainer(own, id);
  const name = info.Name.replace(/^\//, "");
  requireNoOwner(own, name, info.Config.Labels);
  return { info, name };
}

/** The line of what was done; written once the engine has done it. */
const record = (
  own: Own,
  event: (typeof EVENTS)[ContainerVerb] | "container.removed",
  info: ContainerInfo,
  by: Asker,
) =>
  own.db.record(() =>
    own.bus.emit(event, {
      container_id: info.Id,
      name: info.Name.replace(/^\//, ""),
      image: info.Config.Image,
      user_id: by.user_id,
      ip: by.ip,
    }),
  );

/** Starts, stops or restarts a container; one that is so already is left alone. Throws what `POST …/start` answers. */
export async function changeContainer(own: Own, by: Asker, id: string, verb: ContainerVerb): Promise<Container> {
  const { info } = await findForeign(own, id);
  const engine = own.runtime.requireEngine();
  const isDone = verb === "start" ? info.State.Running : verb === "stop" && !info.State.Running;
  if (!isDone) {
    if (verb !== "stop") await own.requireStartable(info.Config.Labels);
    const work = {
      start: () => engine.startContainer(info.Id),
      stop: () => engine.stopContainer(info.Id, null),
      restart: () => engine.restartContainer(info.Id, null),
    }[verb];
    await orRefused(work());
    record(own, EVENTS[verb], info, by);
  }
  return getContainer(own, info.Id);
}

/** Removes a container; its volumes stay, named or not. Throws what `DELETE /api/containers/{id}` answers. */
export async function removeContainer(own: Own, by: Asker, id: string, isForced: boolean): Promise<string> {
  const { info, name } = await findForeign(own, id);
  if (info.State.Running && !isForced) throw fail("container_running", { name });
  await orRefused(own.runtime.requireEngine().deleteContainer(info.Id, isForced));
  record(own, "container.removed", info, by);
  return name;
}
