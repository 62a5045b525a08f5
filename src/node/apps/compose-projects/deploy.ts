import type { Asker } from "../../platform/operations/index.ts";
import { findImageHere } from "../apps/index.ts";
import { describeProblem, type ServiceSpec } from "../compose/index.ts";
import { fetchImage } from "../containers/index.ts";
import { type Engine, EngineError } from "../runtime/index.ts";
import { networkNameOf, projectLabels, type Target, volumeNameOf } from "./container-request.ts";
import { type DeployInput, fail, type PlanAction } from "./contract.ts";
import { createContainers, lastLines, startService, stayUp } from "./deploy-service.ts";
import { actionOf, type Deploy } from "./deploy-state.ts";
import { finishDeploy, goBack, putAside } from "./go-back.ts";
import { PROJECT_LABEL, VOLUME_LABEL } from "./labels.ts";
import { makeInTurn } from "./look-again.ts";
import type { Own } from "./needs.ts";
import { isNestedDanger } from "./nested-paths.ts";
import { joinNetwork, makeNetwork, networkInput, networksOf, remakeNetwork } from "./networks.ts";
import { beginWork, occupy, ProjectFailure, type ProjectStep } from "./operation.ts";
import { planProject } from "./plan.ts";
import { listProjectContainers, serviceOf, stopInTime } from "./project-containers.ts";
import { writeDraft, writeTexts } from "./project-files.ts";
import { recoverProject } from "./recover.ts";
import { readBefore } from "./snapshot.ts";
import { decideDeploying, findDeploying, saveConfirmed, saveDeploying } from "./store.ts";

const changedNetworks = ({ target, plan }: Deploy) =>
  target.project.networks.filter(({ name }) =>
    plan.parts.some((part) => part.kind === "network" && part.name === name && part.action === "change"),
  );

async function areHere(own: Own, engine: Engine, { project }: Target): Promise<boolean> {
  for (const { image } of project.services) if ((await findImageHere(own, engine, image)) === null) return false;
  return true;
}

function pullSteps({ own, engine, target, images, isPulling }: Deploy): ProjectStep[] {
  return [...new Set(target.project.services.map(({ image }) => image))].map((image, index) => ({
    step: `pull:${index + 1}`,
    title: `Get ${image}`,
    async run(op) {
      const here = isPulling ? null : await findImageHere(own, engine, image);
      if (here !== null) return void images.set(image, here);
      const reference = await fetchImage(own, engine, op, `pull:${index + 1}`, image);
      if (reference === null) throw new Error("the node stops");
      if (typeof reference !== "string") {
        throw new ProjectFailure(reference.code, reference.message, reference.next_step ?? "Try again.");
      }
      images.set(image, reference);
    },
  }));
}

/** Finds services whose image is another one by now than the one that their container was made of. */
async function findNewer(deploy: Deploy): Promise<void> {
  const { engine, target, images } = deploy;
  for (const container of await listProjectContainers(engine, target.name, target.node)) {
    const service = target.project.services.find(({ name }) => name === serviceOf(container));
    if (!service || actionOf(deploy, service.name) !== "keep") continue;
    const image = await engine.findImage(images.get(service.image) ?? service.image);
    if (image === null || image.Id === container.ImageID) continue;
    deploy.actions = deploy.actions.map((each) =>
      each.service === service.name ? { ...each, action: "change", changed: ["image"] } : each,
    );
  }
}

/** Networks and volumes that are missing. */
async function makeParts({ engine, target, plan }: Deploy, end: AbortSignal): Promise<void> {
  const { project } = target;
  const isMissing = (kind: "network" | "volume", part: string) =>
    plan.parts.some((each) => each.kind === kind && each.name === part && each.action === "create");
  for (const network of project.networks) {
    end.throwIfAborted();
    if (isMissing("network", network.name)) await makeNetwork(engine, networkInput(target, network));
  }
  for (const volume of project.volumes) {
    if (!isMissing("volume", volume.name)) continue;
    end.throwIfAborted();
    const labels = { ...volume.labels, ...projectLabels(target), [VOLUME_LABEL]: volume.name };
    const made = await engine.createVolume(volumeNameOf(target, volume.name), labels, volume.driverOpts);
    // The engine hands out one that is there already, and somebody else may have made it since the plan.
    if (made.Labels?.[PROJECT_LABEL] !== target.name)
      throw new EngineError(409, `somebody else made a volume ${made.Name} in this moment`);
  }
}

/** Puts those aside that are to be replaced or removed, who depends on others first; stops what has to be moved. */
async function makeRoom(deploy: Deploy): Promise<void> {
  const { engine, target } = deploy;
  const moved = changedNetworks(deploy).map(({ name }) => networkNameOf(target, name));
  const containers = await listProjectContainers(engine, target.name, target.node);
  const known = new Map(containers.map((each) => [each.Id, each]));
  for (const { id } of deploy.before.containers.toReversed()) {
    const container = known.get(id);
    if (!container) continue;
    const action = actionOf(deploy, serviceOf(container));
    if (action === "change" || action === "remove") await putAside(engine, id);
    else if (networksOf(container).some((network) => moved.includes(network))) await stopInTime(engine, id);
  }
}

/** Makes networks anew whose definition is another one, with the containers that stay in them. */
async function remakeNetworks(deploy: Deploy, end: AbortSignal): Promise<void> {
  const { engine, target, before } = deploy;
  const containers = await listProjectContainers(engine, target.name, target.node);
  const staying = new Set(
    containers.filter((each) => actionOf(deploy, serviceOf(each)) === "keep").map(({ Id }) => Id),
  );
  for (const network of changedNetworks(deploy)) {
    const input = networkInput(target, network);
    end.throwIfAborted();
    const id = await remakeNetwork(engine, input, containers);
    await joinNetwork(
      engine,
      { id, name: input.name },
      before.containers.filter(({ id }) => staying.has(id)),
    );
  }
}

const serviceSteps = (deploy: Deploy): ProjectStep[] =>
  deploy.target.project.services.map((service) => ({
    step: `service:${service.name}`,
    title: `Start ${service.name}`,
    run: (op) => startService(deploy, service, (text) => op.log(text)),
  }));

const servicesOf = (actions: readonly PlanAction[], kind: PlanAction["action"]): string[] =>
  actions.filter(({ action }) => action === kind).map(({ service }) => service);

/** From here on the new containers are what the project is. */
function decide({ own, target, plan, actions }: Deploy, { user_id, ip }: Asker): void {
  const { name } = target;
  own.db.tx(() => {
    decideDeploying(own.db, name);
    if (plan.adopts) own.bus.emit("compose.adopted", { name, user_id, ip });
    own.bus.emit("compose.deployed", {
      name,
      created: servicesOf(actions, "create"),
      changed: servicesOf(actions, "change"),
      removed: servicesOf(actions, "remove"),
      confirmed: plan.dangers.map(({ id }) => id),
      user_id,
      ip,
    });
  });
}

function listSteps(deploy: Deploy, by: Asker): ProjectStep[] {
  const { own, engine, target, plan } = deploy;
  const withMoved = ({ networks }: ServiceSpec) =>
    networks.some(({ network }) => changedNetworks(deploy).some(({ name }) => name === network));
  const making = (step: string, title: string, make: (end: AbortSignal) => Promise<void>): ProjectStep => ({
    ...{ step, title },
    run: () => makeInTurn(deploy, make),
  });
  const { isPulling } = deploy;
  const isReplaced = isPulling || plan.actions.some(({ action }) => action === "change" || action === "remove");
  const isMoved = changedNetworks(deploy).length > 0;
  return [
    ...pullSteps(deploy),
    ...(isPulling ? [{ step: "newer", title: "Look for newer images", run: () => findNewer(deploy) }] : []),
    making("parts", "Make networks and volumes", (end) => makeParts(deploy, end)),
    // Before anything stops: most of what Docker refuses, it refuses here.
    making("make", "Make the containers", (end) => createContainers(deploy, (each) => !withMoved(each), end)),
    ...(isReplaced || isMoved ? [{ step: "room", title: "Stop what is replaced", run: () => makeRoom(deploy) }] : []),
    ...(isMoved
      ? [
          making("networks", "Make networks anew", (end) => remakeNetworks(deploy, end)),
          making("make:rest", "Make the other containers", (end) => createContainers(deploy, withMoved, end)),
        ]
      : []),
    ...serviceSteps(deploy),
    { step: "stay", title: "Look whether they stay up", run: () => stayUp(deploy) },
    {
      step: "former",
      title: "Remove what was replaced",
      async run() {
        decide(deploy, by);
        await own.checkpoint?.(`compose:${target.name}`, "decided");
        const deploying = findDeploying(own.db, target.name);
        if (deploying) await finishDeploy(own, engine, deploying);
      },
    },
  ];
}

/** Says what did not stay up, then brings back what was there before; false where that was nothing. */
async function undoDeploy(deploy: Deploy, log: (text: string) => void): Promise<boolean> {
  const { own, engine, target } = deploy;
  const deploying = findDeploying(own.db, target.name);
  if (!deploying) return false;
  for (const line of await lastLines(deploy).catch(() => [])) log(line);
  return deploying.isDecided ? finishDeploy(own, engine, deploying) : goBack(own, engine, deploying);
}

/** Begins to deploy what a plan showed. Throws what `POST /api/containers/compose` answers. */
export async function deployProject(own: Own, by: Asker, input: DeployInput): Promise<{ op_id: string }> {
  const { name, file, env = "", files = [], plan: shown, confirmed = [], pull: isPulling = false } = input;
  const texts = { file, env, files };
  const free = occupy(own, name);
  try {
    const engine = own.runtime.requireEngine();
    await recoverProject(own, engine, name);
    const { plan, target } = await planProject(own, name, texts);
    const [problem] = plan.problems;
    if (problem) throw fail("compose_invalid", { problem: describeProblem(problem), problems: plan.problems });
    if (target === null || plan.hash !== shown) throw fail("compose_plan_changed");
    const open = plan.dangers.filter(({ id }) => !confirmed.includes(id));
    if (open[0]) throw fail("compose_unconfirmed", { text: open[0].text, ids: open.map(({ id }) => id) });
    if (isPulling || !(await areHere(own, engine, target))) own.apps.pulls.assertRoom(by);
    const before = await readBefore(engine, target, plan);
    // With nothing to go back to, what was begun is kept: it can be looked at, corrected and deployed again.
    await (before.containers.length === 0 ? writeTexts : writeDraft)(own, name, texts);
    const { actions } = plan;
    const more = { images: new Map(), started: new Map() };
    const deploy: Deploy = { own, engine, target, files, plan, actions, isPulling, before, ...more };
    const work = {
      kind: "compose.deploy",
      name,
      title: `Deploy ${name}`,
      by,
      steps: listSteps(deploy, by),
      undo: (log: (text: string) => void) => undoDeploy(deploy, log),
    };
    const begun = (opId: string): void => {
      saveDeploying(own.db, { project: name, opId, isDecided: false, before });
      // Those of what runs now are among them, if that has to come back.
      const ids = plan.dangers.filter(isNestedDanger).map(({ id }) => id);
      saveConfirmed(own.db, name, ids);
    };
    return { op_id: beginWork(own, work, free, begun) };
  } catch (error) {
    free();
    throw error;
  }
}
