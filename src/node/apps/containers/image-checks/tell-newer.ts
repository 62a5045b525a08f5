import type { ImageSummary } from "../../runtime/index.ts";
import type { Own } from "../needs.ts";
import { shortName } from "./image-name.ts";
import type { ImageUse } from "./image-uses.ts";
import { isOlder } from "./is-older.ts";
import { readChecks, writeTold } from "./store.ts";

/** Tells of newer images that were not told of yet, all in one; answers for how many names there is one. */
export function tellNewer(
  { db, bus }: Pick<Own, "db" | "bus">,
  uses: readonly ImageUse[],
  images: readonly ImageSummary[],
): number {
  const digestsOf = new Map(images.map(({ Id, RepoDigests }) => [Id, RepoDigests]));
  const rows = readChecks(db);
  const found = uses.flatMap(({ reference, imageIds, containers }) => {
    const row = rows.get(reference);
    const has = row && imageIds.some((id) => isOlder(row, reference, id, digestsOf.get(id) ?? null));
    return has && row.digest !== null ? [{ reference, digest: row.digest, containers, told: row.told }] : [];
  });
  const untold = found.filter(({ digest, told }) => digest !== told);
  if (untold.length > 0)
    db.tx(() => {
      for (const { reference, digest } of untold) writeTold(db, reference, digest);
      const told = untold.map(({ reference, digest, containers }) => ({
        image: shortName(reference),
        digest,
        containers,
      }));
      bus.emit("image.newer", { images: told });
    });
  return found.length;
}
