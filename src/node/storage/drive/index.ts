/** The Drive: files and folders of people, each with a Drive of their own, kept in the object store by their content. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import { createKeyedGate } from "../../../lib/keyed-gate.ts";
import { createTally } from "../../../lib/tally.ts";
import { type CopyWay, changeMeasured, copyTree } from "./arrange.ts";
import { sweepUploads } from "./chunked-upload.ts";
import { createContents } from "./contents.ts";
import { type DriveNode, type DriveTree, fail } from "./contract.ts";
import { type LargeCopy, withLargeCopy } from "./copy-large.ts";
import { answerWith } from "./download.ts";
import { driveMeanings } from "./events.ts";
import { ARCHIVES, CONTENTS, createGoingOut, type Receiver } from "./going-out.ts";
import type { Along, Kept } from "./kept.ts";
import { measureForMove } from "./levels.ts";
import { getWay, listFolder, makeFolder, type Own, present, trashNode } from "./logic.ts";
import init from "./migrations/0001_drive.sql" with { type: "text" };
import uploads from "./migrations/0002_uploads.sql" with { type: "text" };
import versions from "./migrations/0003_versions.sql" with { type: "text" };
import uploadWays from "./migrations/0004_upload_ways.sql" with { type: "text" };
import parts from "./migrations/0005_parts.sql" with { type: "text" };
import counts from "./migrations/0006_counts.sql" with { type: "text" };
import uploadNetworks from "./migrations/0007_upload_networks.sql" with { type: "text" };
import type { By, Needs } from "./needs.ts";
import { createClearing, driveBelongings, purgeTrash } from "./purge.ts";
import { type PutBack, type PutBackResult, putBack } from "./put-back.ts";
import { bindDriveRoutes } from "./routes.ts";
import { createRunningSums } from "./running-sums.ts";
import { findFiles } from "./search.ts";
import { createSharedUploads, type SharedUploads } from "./shared-uploads.ts";
import { findNamed, letComingLeave } from "./store.ts";
import { storeComing, storeFile, whileComing } from "./store-file.ts";
import { copyOver, moveOver } from "./take-place.ts";
import { createThumbnails } from "./thumbnails.ts";
import { purgeVersions } from "./versions.ts";
import { answerZip } from "./zip-folder.ts";

export { type DriveCopy, openDriveCopy } from "./copy-store.ts";

export const driveFeature = defineFeature({
  name: "drive",
  migrations: [init, uploads, versions, uploadWays, parts, counts, uploadNetworks],
  errors: fail.table,
  events: driveMeanings,
});

export { CHUNK_BYTES, type DriveNode, MAX_DEPTH, MAX_FILE_BYTES } from "./contract.ts";
export type { LargeCopy } from "./copy-large.ts";
export type { Along, Kept } from "./kept.ts";
export { FILE_BODY_BYTES, readFile } from "./read-file.ts";
export type { SharedUploads } from "./shared-uploads.ts";

/** What other features may do in somebody's Drive; all of it throws `drive_not_found`. */
export interface Drive extends Part {
  /** Throws `component_not_installed`, or `drive_paused` while it is not known which store holds its data. */
  require(): void;
  /** Takes note of what is kept with files and folders elsewhere: it goes before they do, a part at a time. */
  keep(kept: Kept): void;
  /** A node and the folders above it, the node first; none of them is in the trash. */
  wayTo(userId: string, id: string): DriveNode[];
  /** One page of a folder. */
  list(userId: string, folderId: string | null, after: string | undefined): DriveTree;
  /** What lies there under that name. */
  find(userId: string, folderId: string | null, name: string): DriveNode | null;
  /** The answer with a file, to be saved, or with a folder as an archive, which counts for its reader. Throws what that throws, too. */
  answer(userId: string, id: string, reader: Receiver): Promise<Response>;
  /** The answer with a file that was found just now, or with the part of it that headers of a request ask for; its content has this tag. */
  answerPart(file: DriveNode & { sha256: string }, reader: Receiver, asked: Headers, etag: string): Promise<Response>;
  /** Stores a file in a folder; it is on disk when this resolves. Throws what a place may be refused for. */
  store(by: By, folderId: string, name: string, bytes: Uint8Array): Promise<DriveNode>;
  /** Stores a file as it comes, over one that is there; see `storeComing`. Throws what a place may be refused for. */
  receive(
    by: By,
    place: { parentId: string | null; name: string },
    bytes: AsyncIterable<Uint8Array>,
    checks: Parameters<typeof storeComing>[4],
  ): Promise<DriveNode>;
  /** Makes a folder. Throws what a place may be refused for. */
  makeFolder(by: By, parentId: string | null, name: string): DriveNode;
  /** Puts a file or folder into the trash. */
  trash(by: By, id: string): void;
  /** What `move` has to know of a file or folder that is to go there; others have their turn meanwhile. */
  measureForMove(by: By, id: string, parentId: string | null): Promise<number | null>;
  /** Moves a file or folder to another place or name that is free. Throws what a place may be refused for. */
  move(by: By, id: string, place: { parentId: string | null; name: string }, measured: number | null): DriveNode;
  /** Copies one to a place that is free. */
  copy(by: By, id: string, place: { parentId: string | null; name: string }, way: CopyWay): DriveNode;
  /** Copies a folder in which much lies for `show`, which gives it to `copy`; see `withLargeCopy`. */
  withLargeCopy<T>(by: By, id: string, along: Along, show: (large: LargeCopy | null) => T): Promise<T>;
  /** Moves a file over another one, which keeps what it held as a version. */
  moveOver(by: By, id: string, targetId: string): DriveNode;
  /** Gives a file the content of another one; what it held becomes a version. */
  copyOver(by: By, id: string, targetId: string): DriveNode;
  /** Takes large files by a link, in chunks; what the owner has begun is not found by it. */
  shared: SharedUploads;
  /** Puts files of a copy back into the Drive of whoever `by` names. Throws what a full Drive or disk throws. */
  putBack(by: By, asked: PutBack): Promise<PutBackResult>;
}

/** Files and chunks of one account that may be on their way at a time. */
const MOST_COMING = 64;

/** What came for uploads of one account that is written at a time. */
const MOST_ADDING = 2;

/** Makes the Drive. */
export function createDrive(needs: Needs): Drive {
  const contents = createContents(needs);
  const thumbnails = createThumbnails(needs, contents);
  const kept: Kept[] = [];
  const own: Own = {
    ...needs,
    kept,
    ...{ contents, thumbnails, sums: createRunningSums() },
    ...{
      finishing: new Map(),
      appending: new Set(),
      adding: createKeyedGate(MOST_ADDING),
      searching: createKeyedGate(),
      measuring: createKeyedGate(),
      summing: createKeyedGate(),
      zips: createGoingOut(needs.clock, ARCHIVES),
      goingOut: createGoingOut(needs.clock, CONTENTS),
      copying: new Set(),
      coming: createTally(MOST_COMING),
      clear: createClearing({ ...needs, kept }),
    },
  };
  // Files go with their account, so whoever deletes it is told.
  needs.lists.belongings.add(driveBelongings(own));
  needs.lists.finds.add({ source: "files", least: "viewer", find: (...asked) => findFiles(own, ...asked) });
  async function purge(signal: AbortSignal): Promise<void> {
    await purgeTrash(own);
    await purgeVersions(own);
    await sweepUploads(own, signal);
    await contents.sweep(signal, thumbnails.forget);
    await thumbnails.follow();
  }
  return {
    require: needs.earlier.requireDrive,
    keep: (rows) => void kept.push(rows),
    wayTo: (userId, id) => getWay(own, userId, id).map(present),
    list: (userId, folderId, after) => listFolder(own, userId, folderId, after),
    find(userId, folderId, name) {
      const found = findNamed(needs.db, userId, folderId, name);
      return found && present(found);
    },
    async answer(userId, id, reader) {
      const [node] = getWay(own, userId, id);
      if (node.sha256 === null) return await answerZip(own, node, reader);
      return await answerWith(own, reader, node.name, { ...node, sha256: node.sha256 });
    },
    answerPart: (file, reader, asked, etag) => answerWith(own, reader, file.name, file, asked, false, etag),
    store: (by, parentId, name, bytes) => storeFile(own, by, { parentId, name, mayReplace: false }, bytes),
    receive: (by, place, bytes, checks) =>
      whileComing(own, by.user_id, () =>
        storeComing(own, by, { ...place, mayReplace: true, forgetsEmpty: true }, bytes, checks),
      ),
    makeFolder: (by, parent_id, name) => makeFolder(own, by, { parent_id, name }),
    trash: (by, id) => trashNode(own, by, id),
    measureForMove: (by, id, parentId) => measureForMove(own, by.user_id, id, parentId),
    move: (by, id, { parentId: parent_id, name }, measured) =>
      changeMeasured(own, by, id, { parent_id, name }, measured),
    copy: (by, id, { parentId: parent_id, name }, way) => copyTree(own, by, id, { parent_id, name }, way),
    withLargeCopy: (...asked) => withLargeCopy(own, ...asked),
    moveOver: (by, id, targetId) => moveOver(own, by, id, targetId),
    copyOver: (by, id, targetId) => copyOver(own, by, id, targetId),
    feature: driveFeature,
    routes: [bindDriveRoutes(own)],
    shared: createSharedUploads(own),
    putBack: (by, asked) => putBack(own, by, asked),
    start() {
      needs.db.tx(() => letComingLeave(needs.db));
      // What was cut off with the program goes on.
      void own.clear();
    },
    subscribe: () => void needs.bus.on("objects.encryption_changed", () => thumbnails.follow()),
    jobs: [{ name: "drive-purge", everyMs: hours(1), run: purge }],
  };
}
