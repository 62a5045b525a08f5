import { nodeId } from "../apps/index.ts";
import { nameOf } from "../containers/index.ts";
import type { Engine } from "../runtime/index.ts";
import { MANAGED_LABEL, PROJECT_LABEL } from "./labels.ts";
import type { Own } from "./needs.ts";
import { joinNetwork, remakeNetwork } from "./networks.ts";
import { formerName, isFormer, listProjectContainers, stopAndDelete, stopInTime } from "./project-containers.ts";
import { adoptDraft } from "./project-files.ts";
import { type Deploying, deleteDeploying } from "./store.ts";

/** Whose containers and networks may be undone: another program's that came meanwhile are left alone. */
const labelsOf = (project: string, node: string) => ({ [PROJECT_LABEL]: project, [MANAGED_LABEL]: node });

/** Containers as they were called and connected, those that ran running. May be begun anew at any point. */
async function bringBackContainers(own: Own, engine: Engine, { project, before }: Deploying): Promise<void> {
  const found = await listProjectContainers(engine, project, nodeId(own.seal));
  const byId = new Map(found.map((container) => [container.Id, container]));
  const there = before.containers.filter(({ id }) => byId.has(id));
  for (const { name } of before.changed) {
    const inIt = there.filter(({ networks }) => networks.some((each) => each.name === name));
    for (const { id } of inIt) await stopInTime(engine, id);
  }
  for (const input of before.changed) {
    const id = await remakeNetwork(engine, input, found);
    await joinNetwork(engine, { id, name: input.name }, there);
  }
  for (const { id, name } of there) {
    const container = byId.get(id);
    if (container && nameOf(container) !== name) await engine.renameContainer(id, name);
  }
  for (const { id, isRunning } of there) if (isRunning) await engine.startContainer(id);
}

/**
 * Undoes a deploy: what was there before runs again as it did, and what was made for the deploy goes. Where nothing was there
 * before, what was made stays to be looked at, and the answer is false.
 */
export async function goBack(own: Own, engine: Engine, deploying: Deploying): Promise<boolean> {
  const { project, before } = deploying;
  if (before.containers.length === 0) {
    own.db.tx(() => deleteDeploying(own.db, project));
    return false;
  }
  const labels = labelsOf(project, nodeId(own.seal));
  const old = new Set(before.containers.map(({ id }) => id));
  for (const { Id } of await engine.listContainers(labels)) if (!old.has(Id)) await stopAndDelete(engine, Id);
  await bringBackContainers(own, engine, deploying);
  for (const { Id, Name } of await engine.listNetworks(labels)) {
    if (!before.networks.includes(Name)) await engine.removeNetwork(Id);
  }
  own.db.tx(() => deleteDeploying(own.db, project));
  return true;
}

/** Takes away what a deploy that went well has replaced, and gives its texts their place. What was there before does not run again. */
export async function finishDeploy(own: Own, engine: Engine, { project, before }: Deploying): Promise<false> {
  await adoptDraft(own, project);
  for (const container of await listProjectContainers(engine, project, nodeId(own.seal))) {
    if (isFormer(container)) await stopAndDelete(engine, container.Id);
  }
  for (const network of await engine.listNetworks({ [PROJECT_LABEL]: project })) {
    if (!before.unused.includes(network.Name)) continue;
    // Somebody else's container may have come into it: then it stays for that one.
    await engine.removeNetwork(network.Id).catch((error) => own.log.warn("a network stays", { project, error }));
  }
  own.db.tx(() => deleteDeploying(own.db, project));
  return false;
}

/** Puts a container aside, so that its name and its ports are free; it can be taken back until the deploy is over. */
export async function putAside(engine: Engine, id: string): Promise<void> {
  await stopInTime(engine, id);
  await engine.renameContainer(id, formerName(id));
}
