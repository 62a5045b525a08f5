import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { DriveNode } from "./contract.ts";
import { checkPlace, getFolders, type Own, present, since } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./store.ts";
import { replaceContent } from "./versions.ts";

/** A file as it comes in: where it goes, and what it holds. */
export interface NewFile {
  parentId: string | null;
  name: string;
  sha256: string;
  size: number;
  /** A file of that name gets this content, and keeps what it held as a version. */
  mayReplace: boolean;
  /** Set where a file that is still empty only held the place for this content, so that nothing is remembered of it. */
  forgetsEmpty?: true;
}

/** The file that what comes in takes the place of; null where it becomes a new one. Throws what `checkPlace` throws. */
export function findReplaced(
  own: Own,
  userId: string,
  { parentId, name, mayReplace }: Pick<NewFile, "parentId" | "name" | "mayReplace">,
): (store.NodeRow & { sha256: string }) | null {
  getFolders(own, userId, parentId);
  const found = mayReplace ? store.findNamed(own.db, userId, parentId, name) : null;
  if (found?.sha256) return { ...found, sha256: found.sha256 };
  checkPlace(own, userId, parentId, name);
  return null;
}

/** Makes a file of a content that is being held, inside the transaction. Throws what `checkPlace` throws. */
export function addFile(own: Own, by: By, file: NewFile): DriveNode {
  const { db, bus, ids, clock } = own;
  const { parentId: parent_id, name, sha256, size } = file;
  const replaced = findReplaced(own, by.user_id, file);
  if (replaced !== null) return replaceContent(own, by, replaced, file);
  const row = { id: ids.next("drv"), user_id: by.user_id, parent_id, name, ...since(clock.now()) };
  const made = { ...row, is_file: 1, sha256, size_bytes: size };
  store.insertNode(db, made);
  bus.emit("drive.uploaded", { ...by, node_id: row.id, name, size_bytes: size, sha256 });
  return present(made);
}

const RETRY_S = 5;

/** Runs what takes a file or a chunk of an account. Throws `too_many_requests` where as many are on their way as may be. */
export async function whileComing<Result>(
  { coming }: Pick<Own, "coming">,
  userId: string,
  task: () => Promise<Result>,
): Promise<Result> {
  const leave = coming.enter(userId);
  if (leave === null) throw tooManyRequests(RETRY_S);
  try {
    return await task();
  } finally {
    leave();
  }
}

/**
 * Stores a file as it comes; it is on disk when this resolves. `check` is called when all of it is there, and `before` inside the
 * transaction that makes the file; both may throw, and nothing has changed then. Throws what `checkPlace` throws.
 */
export async function storeComing(
  own: Own,
  by: By,
  place: Omit<NewFile, "sha256" | "size">,
  bytes: AsyncIterable<Uint8Array>,
  { check, before }: { check: (size: number) => void | Promise<void>; before: () => void },
): Promise<DriveNode> {
  findReplaced(own, by.user_id, place);
  return await own.contents.keepComing(bytes, check, (content) => {
    before();
    return addFile(own, by, { ...place, ...content });
  });
}

/** Stores a file; it is on disk when this resolves. Throws what `checkPlace` throws. */
export async function storeFile(
  own: Own,
  by: By,
  place: Omit<NewFile, "sha256" | "size">,
  bytes: Uint8Array,
): Promise<DriveNode> {
  findReplaced(own, by.user_id, place);
  // Others are busy while the bytes go to the disk, so the place is looked at again.
  return await own.contents.keep(bytes, (sha256) => addFile(own, by, { ...place, sha256, size: bytes.length }));
}
