/** The engine of backups: encrypted repositories that keep every piece once; docs/backup-format.md describes them. */
export { openBlobIndex } from "./blob-index-store.ts";
export type { CheckedShare } from "./check-share.ts";
export { EngineFailure } from "./failure.ts";
export { checkUrl } from "./http-client.ts";
export { makeKitKey } from "./keys.ts";
export { type LocalFolder, openLocalFolder } from "./local-folder.ts";
export type { DamagedPlace, NamedDamage } from "./name-damage.ts";
export { isRepositoryName } from "./names.ts";
export { openPlace } from "./open-target.ts";
export type { Piece } from "./pieces.ts";
export type { Holder } from "./protocol.ts";
export { type EngineSession, startEngine } from "./session.ts";
export type { Passed, Snapshot, SnapshotPart } from "./snapshot.ts";
export { createTarReader, entryHeaders, fileHeaders, renameHeaders, type TarEntry, tarEnd } from "./tar.ts";
export type { Entry as TargetEntry, Target, TargetPlace } from "./target.ts";
export { describeHollow } from "./tree-walk.ts";
