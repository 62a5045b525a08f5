import { parseImageReference, writeImageReference } from "../../apps/index.ts";

/** A container that was made from an image's id has that for a name. */
const IS_ID = /^(sha256:)?[a-f0-9]{12,64}$/;

/** An image's name in full, as `registry/repository:tag`; null for one that stands for the same image for ever. */
export function fullName(name: string, imageId: string): string | null {
  if (name.startsWith("sha256:") || (IS_ID.test(name) && imageId.startsWith(`sha256:${name}`))) return null;
  const reference = parseImageReference(name);
  return reference.digest === null ? writeImageReference(reference) : null;
}

/** The same as people write it: Docker's own registry is not named. */
export const shortName = (reference: string): string => reference.replace(/^docker\.io\/(library\/)?/, "");

export const registryOf = (reference: string): string => parseImageReference(reference).registry;

/** The digests among `repoDigests` that stand for an image of the repository of `reference`. */
export function digestsIn(reference: string, repoDigests: readonly string[] | null): string[] {
  const { registry, repository } = parseImageReference(reference);
  return (repoDigests ?? []).flatMap((text) => {
    const other = parseImageReference(text);
    return other.registry === registry && other.repository === repository && other.digest !== null
      ? [other.digest]
      : [];
  });
}
