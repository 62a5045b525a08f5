import { type Engine, EngineError, type ImageSummary } from "../../runtime/index.ts";
import { parseImageReference, writeImageReference } from "../images/image-reference.ts";
import { namesHere } from "../images/list-sources.ts";
import type { Own } from "../needs.ts";
import { isBusy } from "../status.ts";
import { findApp, listApps } from "../store.ts";
import { drawSide } from "./side.ts";
import type { Side } from "./update-store.ts";

type Deps = Pick<Own, "db" | "lists" | "settings" | "log">;

/** The images that an app was made of at one version; none when the app is gone. */
export function imagesOf(own: Pick<Own, "db" | "seal">, appId: string, side: Side): string[] {
  const app = findApp(own.db, appId);
  return app ? drawSide(own, app, side).project.services.map(({ image }) => image) : [];
}

/** Whether an image that is pulled now may be needed in a moment, before anything says so. */
export const isAnyBusy = ({ db }: Pick<Own, "db">): boolean => listApps(db).some(({ status }) => isBusy(status));

/** Docker Hub's short forms written out, so that names can be compared. */
const inFull = (reference: string): string => writeImageReference(parseImageReference(reference));

/** Whether all its names are those under which the app had it pulled: another name is somebody's wish to have it. */
function isOnlyOurs(
  { RepoTags, RepoDigests }: Pick<ImageSummary, "RepoTags" | "RepoDigests">,
  sources: readonly string[],
): boolean {
  const names = new Set(sources.map(inFull));
  const repositories = new Set(
    sources.map(parseImageReference).map(({ registry, repository }) => `${registry}/${repository}`),
  );
  const isOurDigest = (name: string): boolean => {
    const { registry, repository } = parseImageReference(name);
    return repositories.has(`${registry}/${repository}`);
  };
  return (RepoTags ?? []).every((name) => names.has(inFull(name))) && (RepoDigests ?? []).every(isOurDigest);
}

/** Ids of the images that apps need, or may need to go back, whether containers are made of them now or not. */
export async function listKeptIds(own: Pick<Deps, "lists" | "settings">, engine: Engine): Promise<Set<string>> {
  const images = own.lists.keptImages.all().flatMap((read) => read());
  const names = new Set(images.flatMap((image) => namesHere(own, image)));
  const found = await Promise.all([...names].map((name) => engine.findImage(name)));
  return new Set(found.flatMap((image) => image?.Id ?? []));
}

/**
 * Removes images that a version needed which is no longer kept. One stays that any app needs, that a container is made of, or that
 * has a name of somebody else's; what the engine refuses stays too.
 */
export async function removeFormerImages(own: Deps, engine: Engine, images: readonly string[]): Promise<void> {
  for (const image of new Set(images)) {
    const sources = namesHere(own, image);
    const found = (await Promise.all(sources.map((source) => engine.findImage(source)))).find((each) => each !== null);
    if (!found || !isOnlyOurs(found, sources) || isAnyBusy(own)) continue;
    const isUsed = (await engine.listContainers({})).some(({ ImageID }) => ImageID === found.Id);
    if (isUsed || (await listKeptIds(own, engine)).has(found.Id)) continue;
    try {
      for (const name of [...(found.RepoTags ?? []), ...(found.RepoDigests ?? [])]) {
        // With the last tag its digest goes too.
        if (await engine.findImage(name)) await engine.removeImage(name);
      }
      own.log.info("the image of an earlier version is removed", { image });
    } catch (error) {
      if (!(error instanceof EngineError) || error.status === 0) throw error;
      own.log.info("the image of an earlier version stays", { image, error });
    }
  }
}
