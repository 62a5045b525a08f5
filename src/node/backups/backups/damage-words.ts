import type { OperationHandle } from "../../platform/operations/index.ts";
import type { DamagedPlace, EngineSession, NamedDamage } from "../engine/index.ts";
import { ARCHIVE_ROOT } from "./archive-filter.ts";
import type { Own } from "./needs.ts";

/** Named in the sentence that stands beside a backup; the log of the operation has more. */
const MOST_TOLD = 5;

type Apps = Pick<Own, "apps">;

function describePlace({ apps }: Apps, { app, part, path, until }: DamagedPlace): string {
  const name = app === null ? null : (apps.list().find(({ id }) => id === app)?.name ?? app);
  const where = name === null ? part : `${part} of ${name}`;
  if (path === null) return `all of ${where}`;
  const begin = path === "" ? "the beginning" : path;
  if (until === null) return `${begin} in ${where}`;
  if (until === "") return `what comes after ${begin} in ${where}`;
  return `what stands between ${begin} and ${until} in ${where}`;
}

/** What cannot be read of a backup, in a sentence. */
export function describeDamage(own: Apps, { places, count }: NamedDamage): string {
  const told = places.slice(0, MOST_TOLD).map((place) => describePlace(own, place));
  const more = count > told.length ? `, and ${count - told.length} more, see the log` : "";
  return `It cannot be read any more: ${told.join(", ")}${more}.`;
}

/**
 * Finds what cannot be read of a backup, writes it into the log of the operation, and says it in a sentence; null where all of it can be
 * read. Of no packs: all of the backup is read.
 */
export async function nameDamage(
  own: Apps,
  session: EngineSession,
  backupId: string,
  packs: readonly string[],
  op: OperationHandle,
): Promise<string | null> {
  const named = await session.nameDamage(backupId, packs, ARCHIVE_ROOT);
  if (named.count === 0) return null;
  for (const place of named.places) op.log(`${backupId}: ${describePlace(own, place)}`);
  return describeDamage(own, named);
}
