import { toIso } from "../../../../lib/clock.ts";
import type { ContainerSummary, ImageSummary } from "../../runtime/index.ts";
import { nameOf } from "../container-name.ts";
import type { CheckError, Image, NewerImage } from "../contract.ts";
import type { Own } from "../needs.ts";
import { createOwnerFinder } from "../owners.ts";
import { explainFailure } from "./explain-failure.ts";
import { digestsIn, registryOf, shortName } from "./image-name.ts";
import { listImageUses, nameImages } from "./image-uses.ts";
import { isOlder } from "./is-older.ts";
import { type CheckRow, readChecks, readRests } from "./store.ts";

type Deps = Pick<Own, "apps" | "seal" | "runtime" | "imageChecks" | "db">;

/** What is told of an image beside what the engine knows. */
type Checked = Pick<Image, "newer" | "checked_at" | "unchecked" | "check_error">;

const presentNewer = (row: CheckRow, pulled: boolean): NewerImage => ({
  reference: shortName(row.reference),
  digest: row.digest ?? "",
  pulled,
});

/** The newer image of each container that has one, by the container's id. Asks the engine only about images that were older. */
export async function findNewerImages(
  deps: Deps,
  containers: readonly ContainerSummary[],
): Promise<Map<string, NewerImage>> {
  const rows = readChecks(deps.db);
  const found = new Map<string, NewerImage>();
  if (rows.size === 0) return found;
  const engine = deps.runtime.requireEngine();
  const known = new Map<string, Promise<string[] | null>>();
  const digestsOf = (image: string) => {
    const digests = known.get(image) ?? engine.findImage(image).then((info) => info?.RepoDigests ?? null);
    known.set(image, digests);
    return digests;
  };
  for (const { container, imageId, reference } of await nameImages(deps, engine, containers)) {
    const row = rows.get(reference);
    if (!row?.older.includes(imageId) || !isOlder(row, reference, imageId, await digestsOf(imageId))) continue;
    const isPulled = digestsIn(reference, await digestsOf(reference)).includes(row.digest ?? "");
    found.set(container.Id, presentNewer(row, isPulled));
  }
  return found;
}

/** Tells of images what registries said of the names that containers without an app have for them. */
export async function createImageChecker(
  deps: Deps & Pick<Own, "settings">,
  containers: readonly ContainerSummary[],
  images: readonly ImageSummary[],
): Promise<(image: ImageSummary) => Checked> {
  const rows = readChecks(deps.db);
  const rests = readRests(deps.db);
  const named = await nameImages(deps, deps.runtime.requireEngine(), containers);
  const namedOf = Map.groupBy(named, ({ imageId }) => imageId);
  const pulled = new Set(listImageUses(named, images).map(({ reference }) => reference));
  const usersOf = Map.groupBy(containers, ({ ImageID }) => ImageID);
  const ownerOf = createOwnerFinder(deps);
  const isHere = (reference: string, digest: string): boolean =>
    images.some(({ Id, RepoDigests }) => Id === digest || digestsIn(reference, RepoDigests).includes(digest));

  const whyNot = (reference: string, repoDigests: readonly string[] | null): CheckError | null => {
    const row = rows.get(reference);
    // A rest is nothing to those that were made here and are not asked for.
    const rest = digestsIn(reference, repoDigests).length > 0 ? rests.get(registryOf(reference)) : undefined;
    const failure = row?.failure ?? rest?.failure ?? null;
    return failure === null ? null : explainFailure(failure, reference, row?.with_login ?? false);
  };

  function whyUnchecked(imageId: string, references: readonly string[]): Image["unchecked"] {
    const users = usersOf.get(imageId) ?? [];
    if (users.length === 0) return "unused";
    if (users.every(({ Labels }) => ownerOf(Labels) !== null)) return "owned";
    if (references.length === 0) return "pinned";
    if (!references.some((reference) => pulled.has(reference))) return "local";
    return deps.settings.get("apps.image_checks") === "true" ? "waiting" : "off";
  }

  return ({ Id, RepoDigests }) => {
    const users = namedOf.get(Id) ?? [];
    const references = [...new Set(users.map(({ reference }) => reference))].toSorted();
    const asked = references.flatMap((reference) => rows.get(reference) ?? []);
    const row = asked.find((each) => isOlder(each, each.reference, Id, RepoDigests));
    const latest = Math.max(...asked.map(({ asked_at }) => asked_at));
    return {
      newer: row
        ? {
            ...presentNewer(row, isHere(row.reference, row.digest ?? "")),
            containers: users
              .filter(({ reference }) => reference === row.reference)
              .map(({ container }) => nameOf(container))
              .toSorted(),
          }
        : null,
      checked_at: asked.length === 0 ? null : toIso(latest),
      unchecked: asked.length === 0 ? whyUnchecked(Id, references) : null,
      check_error: references.map((each) => whyNot(each, RepoDigests)).find((error) => error !== null) ?? null,
    };
  };
}
