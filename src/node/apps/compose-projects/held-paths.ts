import { join } from "node:path";
import type { ComposeProject, ServiceSpec } from "../compose/index.ts";
import { nameOf } from "../containers/index.ts";
import type { ContainerSummary, VolumeSummary } from "../runtime/index.ts";
import { sourceOf, type Target, volumeNameOf } from "./container-request.ts";
import { PROJECT_LABEL } from "./labels.ts";
import { serviceOf } from "./project-containers.ts";

/** A path of the server that a container has, or will have. */
export interface HeldPath {
  /** Its service; null for a container that is not of the project. */
  readonly service: string | null;
  /** Who has it, in words. */
  readonly holder: string;
  readonly path: string;
  readonly isWritten: boolean;
  /** `file`: as the file says, `engine`: as it is there. */
  readonly from: "file" | "engine";
}

type Volumes = readonly Pick<VolumeSummary, "Name" | "Options" | "Mountpoint">[];

/** A file, and the engine that it is put on. */
interface FileHeld {
  readonly target: Target;
  readonly volumes: Volumes;
  /** Where the engine keeps its own; null where it does not tell. */
  readonly root: string | null;
}

/** Where an engine with this root keeps the volumes that its own driver makes. */
export const volumesOf = (root: string): string => join(root, "volumes");

/** Full paths of the server that a volume with these options is made of; what lies on another server or in memory is none. */
function pathsOfVolume({ type = "", device = "", o = "" }: Readonly<Record<string, string>>): string[] {
  const isBind = /(^|,)\s*r?bind\s*(,|$)/.test(o);
  if (!isBind && /^(nfs4?|cifs|tmpfs)$/.test(type)) return [];
  const place = isBind && !device.startsWith("/") ? `/${device}` : device;
  return [place, ...o.split(/[,=:]/)].filter((path) => path.startsWith("/"));
}

/** Paths of a volume: what its options mount, and where the engine keeps it, which Docker looks up at each start like all others. */
const placesOfVolume = (options: Readonly<Record<string, string>> | null | undefined, kept = ""): string[] =>
  [...pathsOfVolume(options ?? {}), kept].filter((path) => path.startsWith("/"));

function placesOfSpec(target: Target, volumes: Volumes, root: string | null, name: string): string[] {
  const spec: ComposeProject["volumes"][number] | undefined = target.project.volumes.find((each) => each.name === name);
  const engineName = volumeNameOf(target, name);
  const volume = volumes.find(({ Name }) => Name === engineName);
  if (spec?.isExternal !== false) return placesOfVolume(volume?.Options, volume?.Mountpoint);
  const kept = volume?.Mountpoint ?? (root === null ? "" : join(volumesOf(root), engineName, "_data"));
  return placesOfVolume(spec.driverOpts, kept);
}

function listOfService(held: FileHeld, { name, mounts, devices }: ServiceSpec): HeldPath[] {
  const { target, volumes, root } = held;
  const holds = (path: string, isWritten: boolean): HeldPath => ({
    ...{ service: name, holder: name, path, isWritten, from: "file" },
  });
  return [
    ...mounts.flatMap((mount) => {
      if (mount.kind === "tmpfs") return [];
      if (mount.kind === "bind") return [holds(sourceOf(target, mount.source), !mount.isReadOnly)];
      return placesOfSpec(target, volumes, root, mount.volume).map((path) => holds(path, !mount.isReadOnly));
    }),
    ...devices.map(({ source }) => holds(source, false)),
  ];
}

/** What the services of a file have; volumes that are missing will be made below the engine's root. */
export const heldByFile = (held: FileHeld): HeldPath[] =>
  held.target.project.services.flatMap((service) => listOfService(held, service));

const listOfContainer = ({ Mounts = [] }: ContainerSummary, volumes: Volumes): Pick<HeldPath, "path" | "isWritten">[] =>
  Mounts.flatMap(({ Type, Name, Source, RW }) => {
    if (Type === "bind") return [{ path: Source, isWritten: RW }];
    if (Type !== "volume") return [];
    const volume = volumes.find((each) => each.Name === Name);
    return placesOfVolume(volume?.Options, volume?.Mountpoint).map((path) => ({ path, isWritten: RW }));
  });

/** What Compose takes for a name; anybody may write another text into the label. */
const PROJECT = /^[a-z0-9][a-z0-9_-]{0,62}$/;

function holderOf(container: ContainerSummary): string {
  const project = container.Labels[PROJECT_LABEL] ?? "";
  return `the container ${nameOf(container)}${PROJECT.test(project) ? ` of the project ${project}` : ""}`;
}

/** What containers have now: those of the project, also those that `docker compose run` started, and all others. */
export const heldOnEngine = (project: string, containers: readonly ContainerSummary[], volumes: Volumes): HeldPath[] =>
  containers.flatMap((container) => {
    const isOwn = container.Labels[PROJECT_LABEL] === project;
    const service = isOwn ? serviceOf(container) || nameOf(container) : null;
    const holder = service ?? holderOf(container);
    return listOfContainer(container, volumes).map((place) => ({ service, holder, ...place, from: "engine" as const }));
  });
