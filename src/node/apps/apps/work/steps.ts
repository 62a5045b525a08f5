import type { ServiceSpec } from "../../compose/index.ts";
import { EngineError } from "../../runtime/index.ts";
import type { Blueprint } from "../blueprint/blueprint.ts";
import { ensureImage } from "../images/ensure-image.ts";
import { pathSteps } from "../plan/host-paths.ts";
import { ensureContainer, ensureNetworks, ensureVolumes, removeContainer } from "./ensure.ts";
import { ensurePorts } from "./ensure-ports.ts";
import { toFailure } from "./failure.ts";
import { waitHealthy } from "./health.ts";
import { startService, stopServices } from "./start-services.ts";
import type { Step, Work } from "./work.ts";

const MOST_TRIES = 4;

/** The service as the blueprint has it now: ports may have changed since the plan was made. */
function currentService({ blueprint }: Work, name: string): ServiceSpec {
  const service = blueprint.project.services.find((item) => item.name === name);
  if (!service) throw new Error(`there is no service ${name}`);
  return service;
}

async function imageOf(work: Work, step: string, service: ServiceSpec): Promise<string> {
  const known = work.images.get(service.image);
  if (known !== undefined) return known;
  const reference = await ensureImage(work, step, service.image);
  work.images.set(service.image, reference);
  return reference;
}

/** Makes the container of a service. */
export const createStep = (name: string): Step => ({
  step: `create:${name}`,
  title: `Prepare ${name}`,
  async run(work) {
    const service = currentService(work, name);
    const image = await imageOf(work, `create:${name}`, service);
    return { container_id: await ensureContainer(work, service, image) };
  },
});

/**
 * An engine that was killed while it started a container may find what it had begun and never start the container again: the task that
 * it asks containerd for is there already (seen on 20.10). Nothing of the program ran in it.
 */
const isStuck = (error: unknown): boolean =>
  error instanceof EngineError && /^task \S+: already exists/.test(error.message.trim());

/** Starts a service; when somebody takes its port between the look and the start, it is made anew on another one. */
async function startWithPorts(work: Work, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await startService(work, currentService(work, name));
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      if (isStuck(error)) {
        work.op.log(`Docker cannot start the container of ${name} any more, so it is made anew.`);
        await removeContainer(work, name);
        await createStep(name).run(work);
        continue;
      }
      if (toFailure(error).code !== "port_taken") throw error;
    }
    await ensurePorts(work);
    const names = work.blueprint.project.services.map((service) => service.name);
    // Those that come later may be told the port too.
    for (const later of names.slice(names.indexOf(name))) await createStep(later).run(work);
  }
}

/** Starts a service. */
export const startStep = (name: string): Step => ({
  step: `start:${name}`,
  title: `Start ${name}`,
  run: (work) => startWithPorts(work, name),
});

const healthStep: Step = { step: "health", title: "Wait until it works", run: (work) => waitHealthy(work) };

/** Everything between a reserved name and a working app. */
export function installSteps({ project, manifest }: Blueprint): Step[] {
  const images = Map.groupBy(project.services, ({ image }) => image);
  return [
    // Name, ports and secrets were written together with the journal's first entry.
    { step: "reserve", title: "Reserve name and ports", run: async () => {} },
    ...[...images].map(([image, services]): Step => {
      const names = services.map(({ name }) => name);
      const step = `pull:${names[0]}`;
      return {
        step,
        title: `Download ${names.join(", ")}`,
        async run(work) {
          const reference = await ensureImage(work, step, image);
          work.images.set(image, reference);
          return { reference };
        },
      };
    }),
    {
      step: "network",
      title: "Make its network",
      async run(work) {
        await ensurePorts(work);
        await ensureNetworks(work);
      },
    },
    { step: "volumes", title: "Make its volumes", run: ensureVolumes },
    ...project.services.map(({ name }) => createStep(name)),
    ...pathSteps(project),
    ...project.services.map(({ name }) => startStep(name)),
    { ...healthStep, title: `Wait until ${manifest.display_name} works` },
  ];
}

/** Everything between stopped containers (or none at all, when somebody removed them) and a working app. */
export function startSteps({ project }: Blueprint): Step[] {
  return [
    ...pathSteps(project),
    {
      step: "containers",
      title: "Check its containers",
      async run(work) {
        await ensurePorts(work);
        await ensureNetworks(work);
        await ensureVolumes(work);
        for (const { name } of work.blueprint.project.services) await createStep(name).run(work);
      },
    },
    ...project.services.map(({ name }) => startStep(name)),
    healthStep,
  ];
}

/** One step that stops all services. */
export const stopSteps: Step[] = [{ step: "stop", title: "Stop its services", isOnce: true, run: stopServices }];
