import type { NodeFound } from "../../base.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { nodeId } from "../apps/index.ts";
import type { ServiceSpec } from "../compose/index.ts";
import { nameOf } from "../containers/index.ts";
import type { ContainerSummary, Engine } from "../runtime/index.ts";
import { type ComposeProjectEvents, fail, type Project, type ProjectDetail } from "./contract.ts";
import { findTexts } from "./find-texts.ts";
import { PROJECT_LABEL } from "./labels.ts";
import type { Own } from "./needs.ts";
import { beginWork, occupy, type ProjectStep } from "./operation.ts";
import {
  isFormer,
  isMadeHere,
  isNext,
  keepsGoing,
  listOfProject,
  listProjectContainers,
  restartInTime,
  serviceOf,
  stopAndDelete,
  stopInTime,
} from "./project-containers.ts";
import { folderOf, letGo, listKept, readDraft, readLetGo, readTexts, removeTexts } from "./project-files.ts";
import { putFiles } from "./put-files.ts";
import { readProject } from "./read-project.ts";
import { recoverProject } from "./recover.ts";
import { requireConfirmed } from "./require-confirmed.ts";
import { saveConfirmed } from "./store.ts";
import { waitDependency } from "./wait-dependency.ts";

function presentProject(name: string, managed: boolean, containers: readonly ContainerSummary[]): Project {
  // In the middle of a deploy a service may have two.
  const current = containers.filter((each) => keepsGoing(each) && !isNext(each) && !isFormer(each));
  const services = current.map((container) => ({
    name: serviceOf(container),
    container_id: container.Id,
    container: nameOf(container),
    image: container.Image,
    state: container.State,
    status: container.Status ?? container.State,
  }));
  return { name, managed, services: services.sort((left, right) => left.container.localeCompare(right.container)) };
}

/** Every project that is kept here or has a container, by name. Throws `runtime_unavailable`. */
export async function listProjects(own: Own): Promise<Project[]> {
  const containers = await own.runtime.requireEngine().listContainers({ [PROJECT_LABEL]: "" });
  const kept = new Set(await listKept(own));
  const byProject = Map.groupBy(containers, ({ Labels }) => Labels[PROJECT_LABEL] ?? "");
  const names = [...new Set([...kept, ...byProject.keys()])].sort();
  return names.map((name) => presentProject(name, kept.has(name), byProject.get(name) ?? []));
}

/** Those with the text, in small letters, in their names. Throws `runtime_unavailable`. */
export async function findProjects(own: Own, text: string): Promise<NodeFound[]> {
  const found = (await listProjects(own)).filter(({ name }) => name.toLowerCase().includes(text));
  return found.map(({ name, services }) => {
    const running = services.filter(({ state }) => state === "running").length;
    return { id: name, title: name, snippet: `${running} of ${services.length} services run` };
  });
}

/** A project with its texts. Throws `compose_project_not_found`, `runtime_unavailable`. */
export async function getProject(own: Own, name: string): Promise<ProjectDetail> {
  const containers = await own.runtime.requireEngine().listContainers({ [PROJECT_LABEL]: name });
  const texts = await readTexts(own, name);
  if (texts === null && containers.length === 0) throw fail("compose_project_not_found", { name });
  return {
    ...presentProject(name, texts !== null, containers),
    file: texts?.file ?? null,
    env: texts?.env ?? null,
    files: [...(texts?.files ?? [])],
    draft: await readDraft(own, name),
    folder: texts === null ? null : folderOf(own, name),
    found: texts === null ? ((await readLetGo(own, name)) ?? (await findTexts(containers))) : null,
  };
}

/**
 * A project that is kept here with its engine, nothing of it half done. Throws `compose_project_not_found`, `compose_unfinished`,
 * `runtime_unavailable`.
 */
async function requireOwn(own: Own, name: string): Promise<Engine> {
  const engine = own.runtime.requireEngine();
  if (!(await listKept(own)).includes(name)) throw fail("compose_project_not_found", { name });
  await recoverProject(own, engine, name);
  return engine;
}

/** The services of a project as its file orders them, dependencies first; none where the file cannot be read any more. */
async function readServices(own: Own, name: string): Promise<readonly ServiceSpec[]> {
  const texts = await readTexts(own, name);
  const read = texts && readProject(name, texts);
  return read?.kind === "read" ? read.project.services : [];
}

/** Looks after a project no more: its containers run on. Throws what `POST …/{name}/eject` answers. */
export async function ejectProject(own: Own, by: Asker, name: string): Promise<void> {
  const free = occupy(own, name);
  try {
    await requireOwn(own, name);
    await letGo(own, name);
    own.db.record(() => {
      saveConfirmed(own.db, name, []);
      own.bus.emit("compose.ejected", { name, ...by });
    });
  } finally {
    free();
  }
}

/** What can be done with all containers of a project. */
export type ProjectVerb = "start" | "stop" | "restart";

const VERBS = {
  start: { event: "compose.started", title: "Start" },
  stop: { event: "compose.stopped", title: "Stop" },
  restart: { event: "compose.restarted", title: "Restart" },
} as const satisfies Record<ProjectVerb, { event: keyof ComposeProjectEvents; title: string }>;

/** One step a container: those that others wait for are started first and stopped last. */
async function listSteps(own: Own, engine: Engine, name: string, verb: ProjectVerb): Promise<ProjectStep[]> {
  const services = await readServices(own, name);
  const node = nodeId(own.seal);
  const place = (container: ContainerSummary) => services.findIndex((each) => each.name === serviceOf(container));
  const containers = (await listProjectContainers(engine, name, node)).sort(
    (left, right) => place(left) - place(right),
  );
  const idOf = (service: string) => containers.find((each) => serviceOf(each) === service)?.Id;
  const { title } = VERBS[verb];
  const act = async (container: ContainerSummary) => {
    const spec = services.find((each) => each.name === serviceOf(container));
    // A first deploy that was cut off may have made it and no more.
    if (spec && container.State === "created" && isMadeHere(container, node))
      await putFiles(own, engine, spec, container.Id);
    await (verb === "start" ? engine.startContainer(container.Id) : restartInTime(engine, container.Id));
  };
  if (verb === "stop") {
    return containers.toReversed().map((container) => ({
      step: `stop:${serviceOf(container)}`,
      title: `${title} ${serviceOf(container)}`,
      run: () => stopInTime(engine, container.Id),
    }));
  }
  return containers.map((container): ProjectStep => {
    const service = serviceOf(container);
    return {
      step: `${verb}:${service}`,
      title: `${title} ${service}`,
      async run(op) {
        for (const dependency of services.find((each) => each.name === service)?.dependsOn ?? []) {
          const other = idOf(dependency.service);
          if (other) await waitDependency(own, engine, other, dependency, (text) => op.log(text));
        }
        await act(container);
      },
    };
  });
}

/** Begins to start, stop or restart a project. Throws what `POST …/{name}/start` answers. */
export async function changeProject(own: Own, by: Asker, name: string, verb: ProjectVerb): Promise<{ op_id: string }> {
  const free = occupy(own, name);
  try {
    const engine = await requireOwn(own, name);
    if (verb !== "stop") await requireConfirmed(own, engine, name);
    const { event, title } = VERBS[verb];
    const steps = await listSteps(own, engine, name, verb);
    const record = () => own.bus.emit(event, { name, ...by });
    const work = { kind: `compose.${verb}`, name, title: `${title} ${name}`, by, steps, record };
    return { op_id: beginWork(own, work, free) };
  } catch (error) {
    free();
    throw error;
  }
}

/** Begins to remove a project; its volumes stay unless they are asked for. Throws what `DELETE …/{name}` answers. */
export async function removeProject(
  own: Own,
  by: Asker,
  name: string,
  withVolumes: boolean,
): Promise<{ op_id: string }> {
  const free = occupy(own, name);
  try {
    const engine = await requireOwn(own, name);
    const labels = { [PROJECT_LABEL]: name };
    const steps: ProjectStep[] = [
      {
        step: "containers",
        title: "Remove the containers",
        async run() {
          const order = (await readServices(own, name)).map((service) => service.name);
          const containers = await listOfProject(engine, name, nodeId(own.seal));
          const place = (each: ContainerSummary) => order.indexOf(serviceOf(each));
          // Those that others depend on go last.
          const sorted = containers.toSorted((left, right) => place(right) - place(left));
          for (const { Id } of sorted) await stopAndDelete(engine, Id);
        },
      },
      {
        step: "networks",
        title: "Remove the networks",
        async run() {
          for (const { Id } of await engine.listNetworks(labels)) await engine.removeNetwork(Id);
        },
      },
      ...(withVolumes
        ? [
            {
              step: "volumes",
              title: "Remove the volumes with their data",
              async run() {
                for (const { Name } of await engine.listVolumes(labels)) await engine.removeVolume(Name);
              },
            },
          ]
        : []),
      // Last: until then a project that is half removed is listed, and can be removed again.
      { step: "file", title: "Remove the file", run: () => removeTexts(own, name, withVolumes) },
    ];
    const record = () => {
      saveConfirmed(own.db, name, []);
      own.bus.emit("compose.removed", { name, with_volumes: withVolumes, ...by });
    };
    const work = { kind: "compose.remove", name, title: `Remove ${name}`, by, steps, record };
    return { op_id: beginWork(own, work, free) };
  } catch (error) {
    free();
    throw error;
  }
}
