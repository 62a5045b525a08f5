import { digestsIn } from "./image-name.ts";
import type { CheckRow } from "./store.ts";

/**
 * Whether an image is older than what its name stands for at the registry. One that came here after the question is not, nor is one
 * that a later pull found to be the same for this server's processor.
 */
export const isOlder = (
  row: Pick<CheckRow, "digest" | "older">,
  reference: string,
  imageId: string,
  repoDigests: readonly string[] | null,
): boolean =>
  row.digest !== null && row.older.includes(imageId) && !digestsIn(reference, repoDigests).includes(row.digest);
