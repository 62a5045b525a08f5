import { seconds } from "../../../lib/duration.ts";
import { readNewest, stripColours } from "../app-logs/index.ts";
import type { ServiceSpec } from "../compose/index.ts";
import type { ContainerSummary } from "../runtime/index.ts";
import { findStrayFolders } from "./check-folders.ts";
import { aliasesOf, containerNameOf, containerRequest, networkNameOf } from "./container-request.ts";
import { actionOf, type Deploy } from "./deploy-state.ts";
import { findFormer, inheritedMounts } from "./inherited-volumes.ts";
import { findOwnNetworks } from "./networks.ts";
import { ProjectFailure } from "./operation.ts";
import { isFormer, isMadeHere, isNext, listProjectContainers, nextName, serviceOf } from "./project-containers.ts";
import { putFiles } from "./put-files.ts";
import { waitDependency } from "./wait-dependency.ts";
import { createPaths } from "./walk-path.ts";

/** A program that cannot run ends in its first moments. */
const SETTLING_MS = seconds(2);
const READ_MS = seconds(10);
const LAST_LINES = 20;

/** A job that is done is not done again by a deploy that does not change it. */
const isDoneJob = (service: ServiceSpec, { State, Status }: ContainerSummary): boolean =>
  State === "exited" && service.restart.policy === "no" && /^Exited \(0\)/.test(Status ?? "");

/** Makes the containers that the plan names anew or for the first time, under names that stand in nobody's way, until `end`. */
export async function createContainers(
  deploy: Deploy,
  isWanted: (service: ServiceSpec) => boolean,
  end: AbortSignal,
): Promise<void> {
  const { own, engine, target, files, before, images } = deploy;
  // Once more than in the plan: what ran meanwhile may have written there.
  const [stray] = await findStrayFolders(target, files, createPaths(own.host));
  if (stray) throw new ProjectFailure("compose_invalid", `${stray.message}.`, `${stray.next_step}.`);
  const isFirst = before.containers.length === 0;
  const there = await listProjectContainers(engine, target.name, target.node);
  // What came since the plan hands nothing over.
  const nameBefore = new Map(before.containers.map(({ id, name }) => [id, name]));
  const made = target.project.services.filter((each) => isWanted(each) && actionOf(deploy, each.name) !== "keep");
  const networks = made.length === 0 ? new Map<string, string>() : await findOwnNetworks(engine, target);
  for (const service of made) {
    const name = isFirst ? containerNameOf(target.name, service) : nextName(target.name, service.name);
    const former = findFormer(target, service, there, ({ Id }) => nameBefore.get(Id) ?? null);
    const Image = images.get(service.image) ?? service.image;
    const request = containerRequest(target, service, { image: (await engine.findImage(Image))?.Id, networks });
    end.throwIfAborted();
    const id = await engine.createContainer(name, { ...(former ? inheritedMounts(request, former) : request), Image });
    for (const { network } of service.networks.slice(1)) {
      const own = networks.get(network);
      const place = own === undefined ? { name: networkNameOf(target, network) } : { id: own };
      await engine.connectNetwork(place, id, aliasesOf(service, network));
    }
    await putFiles(own, engine, service, id);
  }
}

/** Gives the container of a service its name and starts it, once what it waits for is ready. */
export async function startService(deploy: Deploy, service: ServiceSpec, warn: (text: string) => void): Promise<void> {
  const { own, engine, target, before, started } = deploy;
  for (const dependency of service.dependsOn) {
    const other = target.project.services.find(({ name }) => name === dependency.service);
    if (other) await waitDependency(own, engine, containerNameOf(target.name, other), dependency, warn);
  }
  const mine = (await listProjectContainers(engine, target.name, target.node)).filter(
    (each) => serviceOf(each) === service.name && !isFormer(each),
  );
  const container = mine.find(isNext) ?? mine[0];
  if (!container)
    throw new ProjectFailure("compose_gone", `Somebody removed ${service.name} meanwhile.`, "Deploy again.");
  if (isNext(container)) await engine.renameContainer(container.Id, containerNameOf(target.name, service));
  // What was stopped to be moved was no job.
  const wasRunning = before.containers.some(({ id, isRunning }) => id === container.Id && isRunning);
  if (container.State === "running" || (!wasRunning && isDoneJob(service, container))) return;
  started.set(service.name, container.Id);
  // A deploy that was cut off may have made it and no more.
  if (container.State === "created" && isMadeHere(container, target.node))
    await putFiles(own, engine, service, container.Id);
  await engine.startContainer(container.Id);
}

/** Looks a moment later whether what was started still runs, or has ended well. Throws ProjectFailure. */
export async function stayUp({ own, engine, target, started }: Deploy): Promise<void> {
  if (started.size === 0) return;
  await own.clock.sleep(SETTLING_MS, own.signal);
  for (const service of target.project.services) {
    const id = started.get(service.name);
    const info = id === undefined ? null : await engine.inspectContainer(id);
    if (info === null) continue;
    const { Running, Restarting, ExitCode, Health } = info.State;
    const isWell = !Restarting && info.RestartCount === 0 && (Running || ExitCode === 0);
    const name = service.name;
    if (!isWell) {
      const words = `${name} ended with exit code ${ExitCode} right after its start.`;
      throw new ProjectFailure("compose_not_up", words, "Look at its last lines in the log of this work.");
    }
    if (Running && Health?.Status === "unhealthy") {
      throw new ProjectFailure("compose_not_up", `${name} says that it is unhealthy.`, "Look at its check.");
    }
  }
}

/** The last lines of what was started and did not stay up: they are gone with its container. */
export async function lastLines({ engine, started, own }: Deploy): Promise<string[]> {
  const lines: string[] = [];
  for (const [service, id] of started) {
    const info = await engine.inspectContainer(id);
    if (info === null || (info.State.Running && info.RestartCount === 0)) continue;
    const signal = AbortSignal.any([own.signal, AbortSignal.timeout(READ_MS)]);
    const source = await engine.readLogs(id, { tail: LAST_LINES, follow: false, signal });
    for (const { text } of await readNewest(source)) lines.push(`${service}: ${stripColours(text)}`);
  }
  return lines;
}
