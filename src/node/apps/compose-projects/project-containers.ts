import { hours } from "../../../lib/duration.ts";
import { APP_LABEL } from "../apps/index.ts";
import { nameOf } from "../containers/index.ts";
import type { ContainerSummary, Engine } from "../runtime/index.ts";
import { MANAGED_LABEL, ONE_OFF_LABEL, PROJECT_LABEL, SERVICE_LABEL } from "./labels.ts";

/** Ends the name of a container that is to take the place of another one. */
const NEXT = ".orrery-next";
/** Ends the name of a container whose place was taken, until it is certain that the other one stays. */
const FORMER = ".orrery-former";

/** What a container is called until it takes its place. */
export const nextName = (project: string, service: string): string => `${project}-${service}${NEXT}`;
/** What a container is called whose place was taken; its id keeps it apart from others that had the same name. */
export const formerName = (id: string): string => `${id.slice(0, 12)}${FORMER}`;

export const isNext = (container: ContainerSummary): boolean => nameOf(container).endsWith(NEXT);
export const isFormer = (container: ContainerSummary): boolean => nameOf(container).endsWith(FORMER);
export const serviceOf = ({ Labels }: Pick<ContainerSummary, "Labels">): string => Labels[SERVICE_LABEL] ?? "";

/** Containers that keep a project going: what `docker compose run` starts for a moment is none of them. */
export const keepsGoing = ({ Labels }: ContainerSummary): boolean => Labels[ONE_OFF_LABEL] !== "True";

/** Whether this node made it. */
export const isMadeHere = ({ Labels }: Pick<ContainerSummary, "Labels">, node: string): boolean =>
  Labels[MANAGED_LABEL] === node;

/** Whether this node may do something with it: it is no app's and no other Orrery's. */
export const isFree = (container: Pick<ContainerSummary, "Labels">, node: string): boolean =>
  (!(MANAGED_LABEL in container.Labels) || isMadeHere(container, node)) && !(APP_LABEL in container.Labels);

/** Containers of a project that this node may do something with, moments of `docker compose run` too. */
export async function listOfProject(engine: Engine, project: string, node: string): Promise<ContainerSummary[]> {
  const found = await engine.listContainers({ [PROJECT_LABEL]: project });
  return found.filter((each) => isFree(each, node));
}

/** Those of them that keep the project going. */
export async function listProjectContainers(
  engine: Engine,
  project: string,
  node: string,
): Promise<ContainerSummary[]> {
  return (await listOfProject(engine, project, node)).filter(keepsGoing);
}

/** As long as a file may ask for; containers that somebody else made may ask for years, in which nothing else could be done. */
const LONGEST_STOP_S = hours(1) / 1000;

/** Null for a container that stops in its own time. */
async function graceOf(engine: Engine, id: string): Promise<number | null> {
  const own = (await engine.inspectContainer(id))?.Config.StopTimeout ?? 0;
  return own < 0 || own > LONGEST_STOP_S ? LONGEST_STOP_S : null;
}

/** Stops a container in its own time, but in an hour at most. */
export async function stopInTime(engine: Engine, id: string): Promise<void> {
  await engine.stopContainer(id, await graceOf(engine, id));
}

/** The same, and starts it again. */
export async function restartInTime(engine: Engine, id: string): Promise<void> {
  await engine.restartContainer(id, await graceOf(engine, id));
}

/** Stops a container in its own time and removes it; its volumes stay. */
export async function stopAndDelete(engine: Engine, id: string): Promise<void> {
  await stopInTime(engine, id);
  await engine.deleteContainer(id, true);
}
