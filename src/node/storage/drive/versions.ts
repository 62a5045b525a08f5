import { toIso } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";
import { versionHoursOf } from "../../../shared/plans/index.ts";
import { type DriveNode, type DriveVersions, fail } from "./contract.ts";
import { getFile, type Own, present } from "./logic.ts";
import type { By } from "./needs.ts";
import type { NodeRow } from "./store.ts";
import { setContent } from "./store.ts";
import * as store from "./version-store.ts";

/** What a file remembers at most; with one more the oldest goes. */
const MAX_VERSIONS = 1_000;
/** What the plan does not reach any more is kept this long, for those who change it. */
const GRACE_MS = days(7);

const reachOf = ({ clock, plan }: Own): number => clock.now() - hours(versionHoursOf(plan()));

/** Gives a file another content that is being held, inside the transaction; the one before becomes a version. */
export function replaceContent(
  own: Own,
  by: By,
  file: NodeRow & { sha256: string },
  { sha256, size, forgetsEmpty = false }: { sha256: string; size: number; forgetsEmpty?: boolean },
): DriveNode {
  const { db, bus, clock, ids } = own;
  if (file.sha256 === sha256) return present(file);
  const at = clock.now();
  const before = { sha256: file.sha256, size_bytes: file.size_bytes, made_at: file.changed_at };
  if (file.size_bytes > 0 || !forgetsEmpty) {
    store.insertVersion(db, { id: ids.next("ver"), node_id: file.id, ...before, replaced_at: at });
    if (store.countVersions(db, file.id) > MAX_VERSIONS) store.deleteVersionsBut(db, file.id, MAX_VERSIONS);
  }
  setContent(db, file.id, { sha256, size, at });
  bus.emit("drive.replaced", { ...by, node_id: file.id, name: file.name, size_bytes: size, sha256 });
  return present({ ...file, sha256, size_bytes: size, changed_at: at });
}

/** What a file held before, as far as the plan reaches. Throws `drive_not_found`. */
export function listVersions(own: Own, userId: string, id: string): DriveVersions {
  getFile(own, userId, id);
  const window = hours(versionHoursOf(own.plan()));
  const versions = store.listVersions(own.db, id, reachOf(own));
  return {
    versions: versions.map((row) => ({
      id: row.id,
      size_bytes: row.size_bytes,
      sha256: row.sha256,
      made_at: toIso(row.made_at),
      replaced_at: toIso(row.replaced_at),
      expires_at: toIso(row.replaced_at + window),
    })),
    beyond_plan: store.countVersions(own.db, id) - versions.length,
    window_hours: versionHoursOf(own.plan()),
  };
}

/** A version that the plan reaches. Throws `drive_not_found`, `drive_version_not_found`. */
export function getVersion(own: Own, userId: string, id: string, versionId: string): store.VersionRow {
  getFile(own, userId, id);
  const version = store.findVersion(own.db, id, versionId);
  if (version === null || version.replaced_at <= reachOf(own)) throw fail("drive_version_not_found");
  return version;
}

/** Makes a version the content again; what was there becomes a version. Throws what `getVersion` throws. */
export function restoreVersion(own: Own, by: By, id: string, versionId: string): DriveNode {
  return own.db.tx(() => {
    const { sha256, size_bytes: size } = getVersion(own, by.user_id, id, versionId);
    return replaceContent(own, by, getFile(own, by.user_id, id), { sha256, size });
  });
}

/** Removes a version for good. Throws what `getVersion` throws. */
export function removeVersion(own: Own, by: By, id: string, versionId: string): void {
  const { db, bus } = own;
  db.tx(() => {
    getVersion(own, by.user_id, id, versionId);
    const { name } = getFile(own, by.user_id, id);
    store.deleteVersion(db, versionId);
    bus.emit("drive.version_removed", { ...by, node_id: id, name });
  });
}

/** Versions that are forgotten in one transaction. */
const AT_ONCE = 500;

/** Forgets versions that the plan has not reached for a while. */
export async function purgeVersions(own: Own): Promise<void> {
  const before = reachOf(own) - GRACE_MS;
  while (!own.signal.aborted) {
    if ((await own.db.txAside(() => store.deleteVersionsBefore(own.db, before, AT_ONCE))) < AT_ONCE) return;
  }
}
