import type { ComposeProject, ServiceSpec } from "../compose/index.ts";
import { nameOf } from "../containers/index.ts";
import type { ContainerSummary, VolumeSummary } from "../runtime/index.ts";
import { sourceOf, type Target, volumeNameOf } from "./container-request.ts";
import { PROJECT_LABEL } from "./labels.ts";
import { serviceOf } from "./project-containers.ts";
import { walkPath } from "./walk-path.ts";

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

type Volumes = readonly Pick<VolumeSummary, "Name" | "Options">[];

/** Full paths of the server that a volume with these options is made of; what lies on another server or in memory is none. */
function pathsOfVolume({ type = "", device = "", o = "" }: Readonly<Record<string, string>>): string[] {
  const isBind = /(^|,)\s*r?bind\s*(,|$)/.test(o);
  if (!isBind && /^(nfs4?|cifs|tmpfs)$/.test(type)) return [];
  const place = isBind && !device.startsWith("/") ? `/${device}` : device;
  return [place, ...o.split(/[,=:]/)].filter((path) => path.startsWith("/"));
}

function optionsOf(target: Target, volumes: Volumes, name: string): Readonly<Record<string, string>> {
  const spec: ComposeProject["volumes"][number] | undefined = target.project.volumes.find((each) => each.name === name);
  if (spec?.isExternal === false) return spec.driverOpts;
  return volumes.find(({ Name }) => Name === volumeNameOf(target, name))?.Options ?? {};
}

function listOfService(target: Target, volumes: Volumes, { name, mounts, devices }: ServiceSpec): HeldPath[] {
  const held = (path: string, isWritten: boolean): HeldPath => ({
    ...{ service: name, holder: name, path, isWritten, from: "file" },
  });
  return [
    ...mounts.flatMap((mount) => {
      if (mount.kind === "tmpfs") return [];
      if (mount.kind === "bind") return [held(sourceOf(target, mount.source), !mount.isReadOnly)];
      const paths = pathsOfVolume(optionsOf(target, volumes, mount.volume));
      return paths.map((path) => held(path, !mount.isReadOnly));
    }),
    ...devices.map(({ source }) => held(source, false)),
  ];
}

/** What the services of a file have. */
export const heldByFile = (target: Target, volumes: Volumes): HeldPath[] =>
  target.project.services.flatMap((service) => listOfService(target, volumes, service));

const listOfContainer = ({ Mounts = [] }: ContainerSummary, volumes: Volumes) =>
  Mounts.flatMap(({ Type, Name, Source, RW }) => {
    if (Type === "bind") return [{ path: Source, isWritten: RW }];
    if (Type !== "volume") return [];
    const options = volumes.find((each) => each.Name === Name)?.Options ?? {};
    return pathsOfVolume(options).map((path) => ({ path, isWritten: RW }));
  });

/**
 * What the containers of a project have now, also those that `docker compose run` started; and where others may write in our data
 * folder. Whoever may write to the whole of it has this node anyway, and is no matter of a project.
 */
export async function heldOnEngine(
  project: string,
  containers: readonly ContainerSummary[],
  volumes: Volumes,
  dataFolder: string,
): Promise<HeldPath[]> {
  const held: HeldPath[] = [];
  const ours = `${(await walkPath(dataFolder)).end}/`;
  for (const container of containers) {
    const name = nameOf(container);
    const isOwn = container.Labels[PROJECT_LABEL] === project;
    const service = isOwn ? serviceOf(container) || name : null;
    for (const { path, isWritten } of listOfContainer(container, volumes)) {
      if (!isOwn && !(isWritten && (await walkPath(path)).end.startsWith(ours))) continue;
      held.push({ service, holder: service ?? `the container ${name}`, path, isWritten, from: "engine" });
    }
  }
  return held;
}
