import { toIso } from "../../../../lib/clock.ts";
import { listKeptIds } from "../../apps/index.ts";
import type { ImageSummary } from "../../runtime/index.ts";
import { nameOf } from "../container-name.ts";
import type { Image } from "../contract.ts";
import { createImageChecker } from "../image-checks/find-newer.ts";
import type { Own } from "../needs.ts";

type Deps = Pick<Own, "runtime" | "lists" | "apps" | "seal" | "imageChecks" | "db" | "settings">;

/** The engine writes this for an image without a name. */
const isName = (name: string): boolean => !name.startsWith("<none>");

function presentImage(
  image: ImageSummary,
  usedBy: readonly string[],
  isKept: boolean,
): Omit<Image, "newer" | "checked_at" | "unchecked" | "check_error"> {
  return {
    id: image.Id,
    tags: (image.RepoTags ?? []).filter(isName).toSorted(),
    digests: (image.RepoDigests ?? []).filter(isName).toSorted(),
    size_bytes: image.Size,
    // What is without a time is of the year 1 to the engine, or of 1970.
    created_at: image.Created > 0 ? toIso(image.Created * 1000) : null,
    used_by: usedBy.toSorted(),
    kept: isKept,
  };
}

/** Every image, with the containers made of it; the biggest first. Throws `runtime_unavailable`. */
export async function listImages(deps: Deps): Promise<Image[]> {
  const engine = deps.runtime.requireEngine();
  const [images, containers, kept] = await Promise.all([
    engine.listImages(),
    engine.listContainers({}),
    listKeptIds(deps, engine),
  ]);
  const users = Map.groupBy(containers, ({ ImageID }) => ImageID);
  const checkOf = await createImageChecker(deps, containers, images);
  return images
    .map((image) => ({
      ...presentImage(image, (users.get(image.Id) ?? []).map(nameOf), kept.has(image.Id)),
      ...checkOf(image),
    }))
    .sort((left, right) => right.size_bytes - left.size_bytes || left.id.localeCompare(right.id));
}

/** True for an image that nothing runs from and nobody needs. */
export const isUnused = ({ used_by, kept }: Pick<Image, "used_by" | "kept">): boolean => used_by.length === 0 && !kept;
