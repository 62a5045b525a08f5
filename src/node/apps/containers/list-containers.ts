import { toIso } from "../../../lib/clock.ts";
import { starSecrets } from "../../../lib/star-secrets.ts";
import type { ContainerInfo, ContainerSummary } from "../runtime/index.ts";
import { nameOf } from "./container-name.ts";
import { type Container, type ContainerDetail, fail, type NewerImage, type Owner } from "./contract.ts";
import { findNewerImages } from "./image-checks/find-newer.ts";
import type { Own } from "./needs.ts";
import { createOwnerFinder, projectOf } from "./owners.ts";
import { showCommand, showLabels, showVariables } from "./shown-texts.ts";

type Deps = Pick<Own, "apps" | "seal" | "runtime" | "imageChecks" | "db">;

/** An image that lost its name to a newer one is called by its id. */
const shortImage = (image: string): string => (/^sha256:[a-f0-9]{64}$/.test(image) ? image.slice(7, 19) : image);

function presentPorts(ports: ContainerSummary["Ports"] = []): Container["ports"] {
  const seen = new Set<string>();
  return ports
    .toSorted((left, right) => left.PrivatePort - right.PrivatePort || (left.PublicPort ?? 0) - (right.PublicPort ?? 0))
    .flatMap(({ IP, PrivatePort, PublicPort, Type }) => {
      // The same port on IPv6 says nothing new.
      const bind = IP === undefined || IP === "" ? null : IP === "::" ? "0.0.0.0" : IP;
      const key = `${bind} ${PrivatePort} ${PublicPort} ${Type}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ container: PrivatePort, protocol: Type, host: PublicPort ?? null, bind }];
    });
}

/** Tells the secrets of the app that a container is of; none of others. Each app is asked once. */
function createSecretFinder({ apps }: Pick<Own, "apps">): (owner: Owner | null) => string[] {
  const known = new Map<string, string[]>();
  return (owner) => {
    if (owner?.kind !== "app") return [];
    const secrets = known.get(owner.app_id) ?? apps.secretsOf(owner.app_id);
    known.set(owner.app_id, secrets);
    return secrets;
  };
}

interface Finders {
  ownerOf: ReturnType<typeof createOwnerFinder>;
  secretsOf: ReturnType<typeof createSecretFinder>;
}

function presentContainer(
  { ownerOf, secretsOf }: Finders,
  container: ContainerSummary,
  newer_image: NewerImage | null,
): Container {
  const labels = container.Labels ?? {};
  const owner = ownerOf(labels);
  return {
    id: container.Id,
    name: nameOf(container),
    image: shortImage(container.Image),
    state: container.State,
    status: container.Status ?? container.State,
    created_at: container.Created === undefined ? null : toIso(container.Created * 1000),
    ports: presentPorts(container.Ports),
    labels: showLabels(labels, secretsOf(owner)),
    project: projectOf(labels),
    owner,
    newer_image,
  };
}

/** Every container of the engine, stopped ones too, by name. Throws `runtime_unavailable`. */
export async function listContainers(deps: Deps): Promise<Container[]> {
  const finders = { ownerOf: createOwnerFinder(deps), secretsOf: createSecretFinder(deps) };
  const containers = await deps.runtime.requireEngine().listContainers({});
  const newer = await findNewerImages(deps, containers);
  return containers
    .map((container) => presentContainer(finders, container, newer.get(container.Id) ?? null))
    .sort((left, right) => left.name.localeCompare(right.name));
}

/** A container as the engine describes it. Throws `container_not_found`, `runtime_unavailable`. */
export async function requireContainer({ runtime }: Pick<Own, "runtime">, id: string): Promise<ContainerInfo> {
  const info = await runtime.requireEngine().inspectContainer(id);
  if (!info) throw fail("container_not_found", { id });
  return info;
}

/** A container as the list shows it. Throws as `requireContainer`. */
export async function getContainer(deps: Deps, id: string): Promise<Container> {
  const container = (await listContainers(deps)).find((each) => each.id === id);
  if (!container) throw fail("container_not_found", { id });
  return container;
}

/** What the engine writes for a time that has not come. */
const timeOrNull = (time: string): string | null => (time === "" || time.startsWith("0001-") ? null : time);
const textOrNull = (text: string | undefined): string | null => (text === undefined || text === "" ? null : text);

/** A container in full, without its passwords and without the secrets of its app. Throws as `requireContainer`. */
export async function describeContainer(deps: Deps, id: string): Promise<ContainerDetail> {
  const info = await requireContainer(deps, id);
  const { Config, HostConfig, State } = info;
  const container = await getContainer(deps, info.Id);
  const known = createSecretFinder(deps)(container.owner);
  return {
    ...container,
    environment: showVariables(Config.Env ?? [], known),
    command: showCommand([...(Config.Entrypoint ?? []), ...(Config.Cmd ?? [])], known),
    user: textOrNull(Config.User),
    working_dir: textOrNull(Config.WorkingDir),
    mounts: (info.Mounts ?? []).map(({ Type, Name, Source, Destination, RW }) => ({
      kind: Type,
      source: Name ?? Source,
      target: Destination,
      read_only: !RW,
    })),
    networks: Object.entries(info.NetworkSettings.Networks).map(([name, { IPAddress }]) => ({
      name,
      address: textOrNull(IPAddress),
    })),
    restart_policy: HostConfig.RestartPolicy?.Name || "no",
    restarts: info.RestartCount,
    health: State.Health?.Status ?? null,
    exit_code: State.Running || timeOrNull(State.FinishedAt) === null ? null : State.ExitCode,
    oom_killed: State.OOMKilled,
    error: textOrNull(starSecrets(State.Error, known)),
    started_at: timeOrNull(State.StartedAt),
    finished_at: State.Running ? null : timeOrNull(State.FinishedAt),
    memory_limit_bytes: HostConfig.Memory === 0 ? null : HostConfig.Memory,
    cpu_limit: HostConfig.NanoCpus ? HostConfig.NanoCpus / 1e9 : null,
    privileged: HostConfig.Privileged ?? false,
  };
}
