import { findHalf } from "./halts.ts";
import type { Own } from "./needs.ts";
import { findBackup } from "./store.ts";

type Deps = Pick<Own, "db" | "apps">;

/** A backup by the time at which it began, for people. */
export const backupOf = (at: string): string => `the backup of ${at.slice(0, 16).replace("T", " ")} UTC`;

/** The same of one that this server knows; of another one nothing is said. */
export function describeBackup(db: Own["db"], id: string): string {
  const at = findBackup(db, id)?.started_at;
  return at === undefined ? "a backup" : backupOf(at);
}

/** From where an app that is not whole gets the rest; null for one that is. */
function describeSource({ db }: Pick<Deps, "db">, id: string): string | null {
  const half = findHalf(db, id);
  return half === null ? null : describeBackup(db, half.backup_id);
}

/** Why an app must not run, of which not all is there that is put back; null for one that is whole. */
export function describeHold(own: Deps, id: string): string | null {
  const source = describeSource(own, id);
  if (source === null) return null;
  const { name } = own.apps.get(id);
  return `${name} has not all of its data yet: it is being put back from ${source}, and that is tried again every ten minutes. See in that operation what is in the way, or put it back from another backup.`;
}

/** What a backup says of an app that is not whole. */
export function noteHalf(own: Deps, id: string): string[] {
  const source = describeSource(own, id);
  if (source === null) return [];
  return [
    `${own.apps.get(id).name} was being put back from ${source}, so that what is in here of it may not be whole.`,
  ];
}
