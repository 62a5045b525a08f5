import type { ContainerSummary, Engine, ImageSummary } from "../../runtime/index.ts";
import { nameOf } from "../container-name.ts";
import type { Own } from "../needs.ts";
import { createOwnerFinder } from "../owners.ts";
import { digestsIn, fullName } from "./image-name.ts";

/** An image that containers without an app are made of, by the name that they call it. */
export interface ImageUse {
  /** In full. */
  reference: string;
  /** Ids of the images that they run. */
  imageIds: string[];
  /** Their names. */
  containers: string[];
}

type Deps = Pick<Own, "apps" | "seal" | "imageChecks">;

/** A container with the name of its image; nothing of those whose image has none that can stand for another one. */
export interface NamedContainer {
  container: ContainerSummary;
  imageId: string;
  reference: string;
}

/**
 * Those of all `containers` that nobody looks after, with the full names of their images. Once a name stands for a newer image the list tells
 * the id of the older one instead: such a container is asked about, once in its life.
 */
export async function nameImages(
  deps: Deps,
  engine: Pick<Engine, "inspectContainer">,
  containers: readonly ContainerSummary[],
): Promise<NamedContainer[]> {
  const { madeFrom } = deps.imageChecks;
  const ownerOf = createOwnerFinder(deps);
  const here = new Set(containers.map(({ Id }) => Id));
  for (const id of madeFrom.keys()) if (!here.has(id)) madeFrom.delete(id);
  const named = await Promise.all(
    containers.map(async (container): Promise<NamedContainer | null> => {
      const { Id, Image, ImageID: imageId, Labels } = container;
      if (imageId === undefined || ownerOf(Labels) !== null) return null;
      const isId = imageId.replace("sha256:", "").startsWith(Image.replace("sha256:", ""));
      if (isId && !madeFrom.has(Id)) madeFrom.set(Id, (await engine.inspectContainer(Id))?.Config.Image ?? Image);
      const reference = fullName(isId ? (madeFrom.get(Id) ?? Image) : Image, imageId);
      return reference === null ? null : { container, imageId, reference };
    }),
  );
  return named.filter((one) => one !== null);
}

/** Which images those containers use; only what came from a registry, which alone knows newer ones. */
export function listImageUses(named: readonly NamedContainer[], images: readonly ImageSummary[]): ImageUse[] {
  return [...Map.groupBy(named, ({ reference }) => reference)].flatMap(([reference, users]) => {
    const imageIds = [...new Set(users.map(({ imageId }) => imageId))];
    const isPulled = images.some(
      ({ Id, RepoTags, RepoDigests }) =>
        (imageIds.includes(Id) || (RepoTags ?? []).some((tag) => fullName(tag, Id) === reference)) &&
        digestsIn(reference, RepoDigests).length > 0,
    );
    return isPulled
      ? [{ reference, imageIds, containers: users.map(({ container }) => nameOf(container)).toSorted() }]
      : [];
  });
}
