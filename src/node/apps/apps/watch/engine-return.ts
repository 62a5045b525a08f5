import { dirname, join } from "node:path";
import { seconds } from "../../../../lib/duration.ts";
import type { ContainerInfo, Engine } from "../../runtime/index.ts";
import type { Own } from "../needs.ts";
import type { AppRow } from "../store.ts";
import type { SeenService } from "./observe-app.ts";

/** An engine gives the containers that it stops at its start ten seconds, all at once; and clocks are not exact. */
const EARLIEST_MS = -seconds(2);
const LATEST_MS = seconds(30);

/** Whether a container that is down now ended while the engine came up, which began at `engineStart` (epoch ms). */
export function endedAtStart({ State }: Pick<ContainerInfo, "State">, engineStart: number): boolean {
  const after = Date.parse(State.FinishedAt) - engineStart;
  return State.Status === "exited" && after >= EARLIEST_MS && after <= LATEST_MS;
}

/** When the engine began, epoch ms; null where it is not known, as inside a container. */
function engineStart({ config, host }: Pick<Own, "config" | "host">): number | null {
  // Docker writes the file beside its socket.
  return host.startOf(join(dirname(config.docker_socket), "docker.pid"), "dockerd");
}

/** Whether a service is down that is meant to be up; what is meant to run once and end has ended before. */
const isDown = ({ now, observed }: SeenService): boolean =>
  now.state === "exited" && !(observed.isOneShot && now.exit_code === 0);

/**
 * Whether an app that was up came down, or a service of it, because the engine went away and came back: an engine that crashed stops,
 * at its return, the containers that outlived it, kills those that are slow to end, and does not start them again (seen on 20.10).
 * Nobody wished that. Where the node heard the engine go (`sawItGo`), an app whose services all ended in peace is taken for one of
 * them; anything else only when it ended as the engine started: somebody may have stopped it, or it may have crashed.
 */
export async function fellWithEngine(
  own: Pick<Own, "config" | "host">,
  engine: Pick<Engine, "inspectContainer">,
  { status }: Pick<AppRow, "status">,
  seen: readonly SeenService[],
  sawItGo: boolean,
): Promise<boolean> {
  if (status !== "running" && status !== "degraded") return false;
  const down = seen.filter(isDown);
  if (down.length === 0) return false;
  const isQuiet = down.every(({ observed }) => observed.wasStopped);
  if (sawItGo && isQuiet && seen.every(({ now }) => now.state !== "running")) return true;
  const start = engineStart(own);
  if (start === null) return false;
  for (const { now } of down) {
    const info = now.container_id === null ? null : await engine.inspectContainer(now.container_id);
    if (info && endedAtStart(info, start)) return true;
  }
  return false;
}
