import type { OperationHandle } from "../../../platform/operations/index.ts";
import type { ComposeProject, ServiceSpec } from "../../compose/index.ts";
import type { Engine } from "../../runtime/index.ts";
import { type Blueprint, readBlueprint } from "../blueprint/blueprint.ts";
import { limitsOf } from "../blueprint/limits.ts";
import { APP_LABEL, appLabels, NODE_LABEL, networkName, nodeId, VOLUME_LABEL, volumeName } from "../blueprint/names.ts";
import { findImageHere } from "../images/list-sources.ts";
import type { Own } from "../needs.ts";
import type { AppRow } from "../store.ts";
import { ensureContainer, ensureVolumes, removeContainers, removeVolumes } from "./ensure.ts";
import { AppFailure } from "./failure.ts";
import { waitHealthy } from "./health.ts";
import { startService } from "./start-services.ts";
import type { Work } from "./work.ts";

const MIB = 1_048_576;
/** How ids of copies begin; those of apps never do. */
const COPY = "rehearsal-";
/** For a service without a limit of its own. */
const USUAL_MEMORY_MB = 1024;
const MOST_CPUS = 1;
/** It has to answer for so long. */
const STABLE_MS = 2000;
/** Nobody answers there: in a network without a way out Docker would still ask the server's own name server. */
const NO_NAMES = { servers: ["127.0.0.1"], search: [], options: [] };

/**
 * A copy of an app that nobody reaches and that reaches nobody: on networks of its own without a way out, without ports, with volumes of
 * its own and limits.
 */
export interface Rehearsal {
  /** Its volumes, to be filled before it runs: by the name that the app gives them, with what each is called on the engine. */
  volumes: readonly { name: string; source: string; labels: Record<string, string> }[];
  /** By these everything of it is found again. */
  labels: Record<string, string>;
  /** The most that its containers take together. */
  memory_bytes: number;
  /** Starts it and waits until it answers as the app has to. Throws AppFailure or EngineError. */
  run(op: OperationHandle, signal: AbortSignal): Promise<void>;
  /** Removes all of it, also what an earlier one left. Throws EngineError. */
  remove(): Promise<void>;
}

/** What of the server an app uses and a copy of it must not; null: nothing. */
function findTie({ services }: ComposeProject): string | null {
  for (const { name, mounts, devices, networkMode } of services) {
    if (networkMode === "host") return `${name} uses the network of the server`;
    if (mounts.some(({ kind }) => kind === "bind")) return `${name} uses folders of the server`;
    if (devices.length > 0) return `${name} uses devices of the server`;
  }
  return null;
}

const isolated = (service: ServiceSpec): ServiceSpec => ({
  ...service,
  // A proxy that reads labels would lead people to it.
  labels: {},
  restart: { policy: "no", maxRetries: 0 },
  ports: [],
  extraHosts: [],
  dns: NO_NAMES,
});

/** The last address of a network of IPv4 but one, such as `172.20.255.254` of `172.20.0.0/16`; null for any other. */
export function lastAddress(subnet: string): string | null {
  const [, address = "", bits] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(subnet) ?? [];
  if (bits === undefined || Number(bits) > 29) return null;
  const first = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const last = first + 2 ** (32 - Number(bits)) - 2;
  return [24, 16, 8, 0].map((shift) => Math.floor(last / 2 ** shift) % 256).join(".");
}

/**
 * Makes a network whose way out leads to an address that nobody has. Without a way out alone, older engines give containers the server as
 * theirs, and what listens on any of its addresses is reached. Docker chooses the addresses, which have to be known to say so.
 */
async function makeClosedNetwork(engine: Engine, name: string, labels: Record<string, string>): Promise<void> {
  const find = async () => (await engine.listNetworks(labels)).find(({ Name }) => Name === name);
  await engine.createNetwork({ name, labels, isInternal: true });
  const chosen = await find();
  const [subnet] = chosen?.IPAM?.Config ?? [];
  const nobody = lastAddress(subnet?.Subnet ?? "");
  if (chosen === undefined || subnet === undefined || nobody === null)
    throw refuse("Docker gave it no network of its own");
  await engine.removeNetwork(chosen.Id);
  const closed = { ...subnet, AuxiliaryAddresses: { DefaultGatewayIPv4: nobody } };
  await engine.createNetwork({ name, labels, isInternal: true, subnets: [closed] });
  if ((await find())?.Internal !== true) throw refuse("Docker gave it no network of its own");
}

/** The same app under a name that no app can have. */
function copyOf(blueprint: Blueprint): Blueprint {
  const { app, config, manifest, project } = blueprint;
  const limits = Object.fromEntries(
    project.services.map((service) => {
      const { memory_bytes, cpus } = limitsOf(service, manifest, config);
      const memory_mb = memory_bytes === null ? USUAL_MEMORY_MB : Math.ceil(memory_bytes / MIB);
      return [service.name, { memory_mb, cpus: Math.min(cpus ?? MOST_CPUS, MOST_CPUS) }];
    }),
  );
  return {
    app: { ...app, id: `${COPY}${app.id}`, name: `${app.name}.rehearsal`, generation: 0 },
    config: { ...config, limits },
    manifest,
    project: {
      ...project,
      services: project.services.map(isolated),
      networks: project.networks.map((network) => ({ ...network, isInternal: true, labels: {} })),
    },
    ports: [],
  };
}

/** The references of all images by service. Throws AppFailure where one is not here: a copy is not worth a download. */
async function findImages(
  deps: Pick<Work, "own" | "engine">,
  { services }: ComposeProject,
): Promise<Map<string, string>> {
  const images = new Map<string, string>();
  for (const { name, image } of services) {
    const here = await findImageHere(deps.own, deps.engine, image);
    if (here === null) throw refuse(`the image of ${name} is not on it`);
    images.set(name, here);
  }
  return images;
}

const refuse = (why: string): AppFailure =>
  new AppFailure({
    code: "not_rehearsable",
    cause: `A copy cannot be started on this server: ${why}.`,
    next_step: null,
  });

async function start(work: Work): Promise<void> {
  const { services } = work.blueprint.project;
  const labels = appLabels(nodeId(work.own.seal), work.blueprint.app.id);
  for (const { name } of work.blueprint.project.networks)
    await makeClosedNetwork(work.engine, networkName(work.blueprint.app, name), labels);
  await ensureVolumes(work);
  for (const service of services) await ensureContainer(work, service, work.images.get(service.name) ?? service.image);
  for (const service of services) await startService(work, service);
  await waitHealthy(work, STABLE_MS);
}

/**
 * A copy of an app to be started once. Throws AppFailure `not_rehearsable` where the app is tied to the server, or an image of it is not
 * here.
 */
export async function prepareRehearsal(own: Own, engine: Engine, app: AppRow): Promise<Rehearsal> {
  const original = readBlueprint(own, app);
  const tie = findTie(original.project);
  if (tie !== null) throw refuse(tie);
  const images = await findImages({ own, engine }, original.project);
  const blueprint = copyOf(original);
  const { project, manifest, config } = blueprint;
  const labels = appLabels(nodeId(own.seal), blueprint.app.id);
  return {
    labels,
    volumes: project.volumes.map(({ name }) => ({
      name,
      source: volumeName(blueprint.app, name),
      labels: { ...labels, [VOLUME_LABEL]: name },
    })),
    memory_bytes: project.services.reduce((sum, one) => sum + (limitsOf(one, manifest, config).memory_bytes ?? 0), 0),
    run: (op, signal) => start({ own, engine, blueprint, op, signal, images }),
    async remove() {
      await removeContainers({ engine, blueprint });
      await removeVolumes({ engine }, blueprint.app.id);
    },
  };
}

/** Removes what copies of apps left on the engine when the program ended in their middle. Only while there is none. */
export async function removeRehearsals({ seal }: Pick<Own, "seal">, engine: Engine): Promise<void> {
  const ours = { [NODE_LABEL]: nodeId(seal) };
  const isLeft = ({ Labels }: { Labels: Record<string, string> | null }) => Labels?.[APP_LABEL]?.startsWith(COPY);
  for (const one of await engine.listContainers(ours)) if (isLeft(one)) await engine.removeContainer(one.Id);
  for (const one of await engine.listNetworks(ours)) if (isLeft(one)) await engine.removeNetwork(one.Id);
  for (const one of await engine.listVolumes(ours)) if (isLeft(one)) await engine.removeVolume(one.Name);
}
