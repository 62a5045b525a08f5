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
  /** Where the engine keeps a volume: it is written to, and nobody can replace it who has not the whole engine. */
  readonly isKeptByEngine: boolean;
}

type Place = Pick<HeldPath, "path" | "isKeptByEngine">;
type Volumes = readonly Pick<VolumeSummary, "Name" | "Options" | "Mountpoint">[];

/** Full paths of the server that a volume with these options is made of; what lies on another server or in memory is none. */
function pathsOfVolume({ type = "", device = "", o = "" }: Readonly<Record<string, string>>): string[] {
  const isBind = /(^|,)\s*r?bind\s*(,|$)/.test(o);
  if (!isBind && /^(nfs4?|cifs|tmpfs)$/.test(type)) return [];
  const place = isBind && !device.startsWith("/") ? `/${device}` : device;
  return [place, ...o.split(/[,=:]/)].filter((path) => path.startsWith("/"));
}

/** Paths of a volume on the engine, made with these options. */
function placesOfVolume(options: Readonly<Record<string, string>>, volume: Volumes[number] | undefined): Place[] {
  const kept = volume?.Mountpoint ?? "";
  return [
    ...pathsOfVolume(options).map((path) => ({ path, isKeptByEngine: false })),
    ...(kept.startsWith("/") ? [{ path: kept, isKeptByEngine: true }] : []),
  ];
}

function placesOfSpec(target: Target, volumes: Volumes, name: string): Place[] {
  const spec: ComposeProject["volumes"][number] | undefined = target.project.volumes.find((each) => each.name === name);
  const volume = volumes.find(({ Name }) => Name === volumeNameOf(target, name));
  return placesOfVolume(spec?.isExternal === false ? spec.driverOpts : (volume?.Options ?? {}), volume);
}

const plain = (path: string): Place => ({ path, isKeptByEngine: false });

function listOfService(target: Target, volumes: Volumes, { name, mounts, devices }: ServiceSpec): HeldPath[] {
  const held = (place: Place, isWritten: boolean): HeldPath => ({
    ...{ service: name, holder: name, ...place, isWritten, from: "file" },
  });
  return [
    ...mounts.flatMap((mount) => {
      if (mount.kind === "tmpfs") return [];
      if (mount.kind === "bind") return [held(plain(sourceOf(target, mount.source)), !mount.isReadOnly)];
      return placesOfSpec(target, volumes, mount.volume).map((place) => held(place, !mount.isReadOnly));
    }),
    ...devices.map(({ source }) => held(plain(source), false)),
  ];
}

/** What the services of a file have. */
export const heldByFile = (target: Target, volumes: Volumes): HeldPath[] =>
  target.project.services.flatMap((service) => listOfService(target, volumes, service));

const listOfContainer = ({ Mounts = [] }: ContainerSummary, volumes: Volumes): (Place & { isWritten: boolean })[] =>
  Mounts.flatMap(({ Type, Name, Source, RW }) => {
    if (Type === "bind") return [{ ...plain(Source), isWritten: RW }];
    if (Type !== "volume") return [];
    const volume = volumes.find((each) => each.Name === Name);
    return placesOfVolume(volume?.Options ?? {}, volume).map((place) => ({ ...place, isWritten: RW }));
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
