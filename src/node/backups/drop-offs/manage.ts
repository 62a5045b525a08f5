import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { checkFolder } from "../backups/index.ts";
import { type DropOff, type DropOffChange, type DropOffInput, type DropOffKey, fail } from "./contract.ts";
import { makeKey } from "./keys.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";

const MOST = 50;
/** Folder of those that have no disk of their own. */
export const FOLDER = "drop-offs";

const present = ({ clock }: Pick<Own, "clock">, row: store.DropOffRow): DropOff => ({
  id: row.id,
  name: row.name,
  path: row.path,
  quota_bytes: row.quota_bytes,
  used_bytes: row.used_bytes,
  append_only: row.append_only === 1,
  expires_at: row.expires_at === null ? null : toIso(row.expires_at),
  is_expired: row.expires_at !== null && row.expires_at <= clock.now(),
  created_at: row.created_at,
  last_used_at: row.last_used_at === null ? null : toIso(row.last_used_at),
});

/** By name. */
export const listDropOffs = (own: Own): DropOff[] => store.listDropOffs(own.db).map((row) => present(own, row));

function getDropOff({ db }: Own, id: string): store.DropOffRow {
  const row = store.findDropOff(db, id);
  if (row === null) throw fail("drop_off_not_found");
  return row;
}

function placeOf(own: Own, id: string, path: string | undefined): string {
  if (path === undefined) return join(own.config.data_dir, FOLDER, id.toLowerCase());
  return join(
    checkFolder(own, path, (reason) => fail("drop_off_path", { path, reason })),
    `orrery-${id.toLowerCase()}`,
  );
}

const expiryOf = ({ clock }: Own, inDays: number | null): number | null =>
  inDays === null ? null : clock.now() + days(inDays);

function assertNameFree({ db }: Own, name: string, but: string | null = null): void {
  if (store.listDropOffs(db).some((row) => row.name === name && row.id !== but)) throw fail("drop_off_taken", { name });
}

/** Makes a place. Throws what `POST /api/backup/drop-offs` answers. */
export function addDropOff(own: Own, by: Asker, input: DropOffInput): DropOffKey {
  const { db, ids, clock, bus } = own;
  const { name, quota_bytes, append_only } = input;
  assertNameFree(own, name);
  if (store.listDropOffs(db).length >= MOST) throw fail("drop_off_limit", { limit: MOST });
  const id = ids.next("drop");
  const path = placeOf(own, id, input.path);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fail("drop_off_path", { path, reason: error instanceof Error ? error.message : String(error) });
  }
  const { key, hash } = makeKey(id);
  const row: store.DropOffRow = {
    ...{ id, name, path, key_hash: hash, quota_bytes, used_bytes: 0, files: 0, append_only: append_only ? 1 : 0 },
    expires_at: expiryOf(own, input.expires_in_days),
    created_at: toIso(clock.now()),
    last_used_at: null,
  };
  db.tx(() => {
    store.insertDropOff(db, row);
    bus.emit("drop_off.added", { ...by, drop_off_id: id, name, quota_bytes, append_only });
  });
  return { drop_off: present(own, row), key };
}

/** Changes what a place may have. Throws `drop_off_not_found` and `drop_off_taken`. */
export function changeDropOff(own: Own, by: Asker, id: string, change: DropOffChange): DropOff {
  const { db, bus } = own;
  const before = getDropOff(own, id);
  const { name, quota_bytes, append_only, expires_in_days } = change;
  assertNameFree(own, name, id);
  db.tx(() => {
    const expires_at = expires_in_days === undefined ? before.expires_at : expiryOf(own, expires_in_days);
    store.changeDropOff(db, { id, name, quota_bytes, append_only: append_only ? 1 : 0, expires_at });
    bus.emit("drop_off.changed", { ...by, drop_off_id: id, name, quota_bytes, append_only });
  });
  return present(own, getDropOff(own, id));
}

/** Gives a place a new key; the one before opens nothing any more. */
export function renewKey(own: Own, by: Asker, id: string): DropOffKey {
  const { db, bus } = own;
  const { name } = getDropOff(own, id);
  const { key, hash } = makeKey(id);
  db.tx(() => {
    store.writeKeyHash(db, id, hash);
    bus.emit("drop_off.key_made", { ...by, drop_off_id: id, name });
  });
  return { drop_off: present(own, getDropOff(own, id)), key };
}

/** Takes the key back and forgets the place; what lies there is removed only where that is asked for. */
export async function removeDropOff(own: Own, by: Asker, id: string, deleteData: boolean): Promise<string> {
  const { db, bus } = own;
  const { name, path } = getDropOff(own, id);
  if ([...own.incoming.keys()].some((file) => file.startsWith(`${id}-`))) throw fail("drop_off_busy");
  db.tx(() => {
    store.deleteDropOff(db, id);
    bus.emit("drop_off.removed", { ...by, drop_off_id: id, name, with_data: deleteData });
  });
  if (!deleteData) return `${name} is no place for backups any more. What lies in ${path} stays there.`;
  await rm(path, { recursive: true, force: true });
  return `${name} is no place for backups any more, and what lay there is gone.`;
}
