import type { ServiceSpec } from "../../compose/index.ts";
import type { ContainerSummary } from "../../runtime/index.ts";
import { aliasesOf, containerSpec, specDigest } from "../blueprint/container-spec.ts";
import {
  APP_LABEL,
  appLabels,
  containerName,
  networkName,
  nodeId,
  SERVICE_LABEL,
  SPEC_LABEL,
  VOLUME_LABEL,
  volumeName,
} from "../blueprint/names.ts";
import type { Work } from "./work.ts";

/** Makes the app's networks that are missing. */
export async function ensureNetworks({ own, engine, blueprint: { app, project } }: Work): Promise<void> {
  const labels = appLabels(nodeId(own.seal), app.id);
  for (const network of project.networks) {
    await engine.createNetwork({
      name: networkName(app, network.name),
      labels: { ...network.labels, ...labels },
      isInternal: network.isInternal,
    });
  }
}

/** Makes the app's volumes that are missing; those that exist keep their data. */
export async function ensureVolumes({ own, engine, blueprint: { app, project } }: Work): Promise<void> {
  const labels = appLabels(nodeId(own.seal), app.id);
  for (const volume of project.volumes) {
    await engine.createVolume(volumeName(app, volume.name), {
      ...volume.labels,
      ...labels,
      [VOLUME_LABEL]: volume.name,
    });
  }
}

/** The container of a service, null when there is none. */
export async function findContainer({ engine, blueprint }: Work, service: string): Promise<ContainerSummary | null> {
  const found = await engine.listContainers({ [APP_LABEL]: blueprint.app.id, [SERVICE_LABEL]: service });
  return found[0] ?? null;
}

/** Makes the container of a service, or makes it anew when its blueprint has changed. Returns its id. */
export async function ensureContainer(work: Work, service: ServiceSpec, image: string): Promise<string> {
  const { own, engine, blueprint } = work;
  const spec = containerSpec(blueprint, service, image, nodeId(own.seal));
  const existing = await findContainer(work, service.name);
  const isSame = existing?.Labels[SPEC_LABEL] === specDigest(spec);
  if (existing && !isSame) {
    // A program that writes gets the time to finish.
    if (existing.State === "running") await engine.stopContainer(existing.Id, null);
    await engine.removeContainer(existing.Id);
  }
  const id =
    existing && isSame ? existing.Id : await engine.createContainer(containerName(blueprint.app, service.name), spec);
  for (const { network } of service.networks.slice(1)) {
    await engine.connectNetwork({ name: networkName(blueprint.app, network) }, id, aliasesOf(service, network));
  }
  return id;
}

/** Removes the container of a service, if there is one, whatever state it is in; named volumes stay. */
export async function removeContainer(work: Work, service: string): Promise<void> {
  const existing = await findContainer(work, service);
  if (existing) await work.engine.removeContainer(existing.Id);
}

/** Removes the containers and networks of an app, whatever state they are in; volumes stay. */
export async function removeContainers({ engine, blueprint: { app } }: Pick<Work, "engine" | "blueprint">) {
  for (const { Id } of await engine.listContainers({ [APP_LABEL]: app.id })) await engine.removeContainer(Id);
  for (const { Id } of await engine.listNetworks({ [APP_LABEL]: app.id })) await engine.removeNetwork(Id);
}

/** Deletes the volumes of an app with their data. */
export async function removeVolumes({ engine }: Pick<Work, "engine">, appId: string): Promise<void> {
  for (const { Name } of await engine.listVolumes({ [APP_LABEL]: appId })) await engine.removeVolume(Name);
}
