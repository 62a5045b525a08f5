import { seconds } from "../../../../lib/duration.ts";
import type { ProjectOutline } from "../../compose/index.ts";
import type { ContainerInfo, Engine } from "../../runtime/index.ts";
import { oneShotServices } from "../blueprint/blueprint.ts";
import { APP_LABEL, SERVICE_LABEL } from "../blueprint/names.ts";
import type { Own } from "../needs.ts";
import { listServices, type ServiceRow, writeService } from "../service-store.ts";
import type { AppRow } from "../store.ts";
import { explainExit, explainOom, type Failure } from "../work/failure.ts";
import type { ObservedService } from "./observe.ts";

/** A restarted service counts as up once it has stayed so for this long. */
export const SETTLE_MS = seconds(10);

/** One service before and after a look at its container. */
export interface SeenService {
  before: ServiceRow | null;
  now: ServiceRow;
  observed: ObservedService;
}

/** How often in a row a check fails before Docker calls a container unhealthy that does not say. */
const USUAL_RETRIES = 3;

/**
 * What Docker says of a container's health, `before` being what it said last. While a container is paused, and until the first check
 * after that, Docker calls it unhealthy, because nobody checks it: no check has failed.
 */
export function readHealth(
  { Id, State: { Health: health }, Config }: Pick<ContainerInfo, "Id" | "State" | "Config">,
  before: Pick<ServiceRow, "container_id" | "health"> | null,
): string | null {
  if (!health || health.Status === "none") return null;
  const failed = health.FailingStreak ?? Number.POSITIVE_INFINITY;
  if (health.Status !== "unhealthy" || failed >= (Config.Healthcheck?.Retries || USUAL_RETRIES)) return health.Status;
  return before?.container_id === Id ? before.health : null;
}

function toRow(
  { id: appId }: AppRow,
  { name, image }: Pick<ServiceRow, "name" | "image">,
  info: ContainerInfo | null,
  before: ServiceRow | null,
): ServiceRow {
  if (!info) {
    return {
      app_id: appId,
      name,
      image,
      container_id: null,
      state: "missing",
      health: null,
      restarts: 0,
      exit_code: null,
      oom_killed: 0,
      started_at: null,
    };
  }
  const { State, RestartCount, Id } = info;
  const isUp = State.Status === "running" || State.Status === "paused";
  return {
    app_id: appId,
    name,
    image,
    container_id: Id,
    state: State.Status,
    health: readHealth(info, before),
    restarts: RestartCount,
    exit_code: isUp || State.Status === "created" ? null : State.ExitCode,
    oom_killed: State.OOMKilled ? 1 : 0,
    // Docker writes year 1 for "never"; fractions are cut to the wire's milliseconds.
    started_at: State.StartedAt.startsWith("0001") ? null : `${State.StartedAt.slice(0, 23).replace(/Z$/, "")}Z`,
  };
}

function explainDeath(own: Own, name: string, info: ContainerInfo): Failure | null {
  const death = own.state.deaths.get(info.Id);
  if (info.State.OOMKilled || death?.is_oom) return explainOom(name, info.HostConfig.Memory);
  if (info.State.Status === "exited") return explainExit(name, info.State.ExitCode);
  return death ? explainExit(name, death.exit_code) : null;
}

/**
 * Looks at all containers of an app and writes what it sees into `app_services`. `wasStopped` tells for a container id
 * whether somebody stopped it by hand.
 */
export async function lookAtServices(
  own: Own,
  engine: Engine,
  { app, project }: { app: AppRow; project: ProjectOutline },
  wasStopped: (containerId: string) => boolean,
): Promise<SeenService[]> {
  const known = new Map(listServices(own.db, app.id).map((row) => [row.name, row]));
  const containers = await engine.listContainers({ [APP_LABEL]: app.id });
  const oneShots = oneShotServices(project);
  const seen: SeenService[] = [];
  for (const { name, image } of project.services) {
    const summary = containers.find(({ Labels }) => Labels[SERVICE_LABEL] === name);
    const info = summary ? await engine.inspectContainer(summary.Id) : null;
    const before = known.get(name) ?? null;
    const found = toRow(app, { name, image }, info, before);
    const now = found.state === "paused" && own.state.frozen.has(app.id) ? { ...found, state: "running" } : found;
    const upMs = now.started_at === null ? 0 : own.clock.now() - Date.parse(now.started_at);
    seen.push({
      before,
      now,
      observed: {
        ...now,
        isOneShot: oneShots.has(name),
        isSettling: now.state === "running" && now.restarts > 0 && upMs < SETTLE_MS,
        loopEnds: null,
        wasStopped: info !== null && wasStopped(info.Id),
        failure: info && explainDeath(own, name, info),
      },
    });
  }
  own.db.tx(() => {
    for (const { now, before: old } of seen) {
      if (JSON.stringify(old) !== JSON.stringify(now)) writeService(own.db, now);
    }
  });
  return seen;
}
