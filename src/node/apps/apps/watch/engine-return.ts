import { dirname, join } from "node:path";
import { seconds } from "../../../../lib/duration.ts";
import type { ContainerInfo, Engine } from "../../runtime/index.ts";
import { APP_LABEL } from "../blueprint/names.ts";
import type { Own } from "../needs.ts";

/** An engine gives the containers that it stops at its start ten seconds, all at once; and clocks are not exact. */
const EARLIEST_MS = -seconds(2);
const LATEST_MS = seconds(30);

/** Whether a container that is down now ended while the engine came up, which began at `engineStart` (epoch ms). */
export function endedAtStart({ State }: Pick<ContainerInfo, "State">, engineStart: number): boolean {
  const after = Date.parse(State.FinishedAt) - engineStart;
  return State.Status === "exited" && after >= EARLIEST_MS && after <= LATEST_MS;
}

/**
 * Whether all of an app came down while the engine started, at a time when nobody listened: then the engine did it, and nobody
 * wished it. False where the engine's start is not known, as inside a container.
 */
export async function fellAtEngineStart(own: Own, engine: Engine, appId: string): Promise<boolean> {
  // Docker writes the file beside its socket.
  const pidFile = join(dirname(own.config.docker_socket), "docker.pid");
  const engineStart = own.host.startOf(pidFile, "dockerd");
  if (engineStart === null) return false;
  const containers = await engine.listContainers({ [APP_LABEL]: appId });
  const found = await Promise.all(containers.map(({ Id }) => engine.inspectContainer(Id)));
  const down = found.filter((info) => info !== null).filter(({ State }) => State.Status === "exited");
  // What is meant to run once and end has ended before.
  return down.some((info) => endedAtStart(info, engineStart));
}
