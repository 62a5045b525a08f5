import { MAX_DEPTH } from "./contract.ts";
import type { CopiedNode, DriveCopy } from "./copy-store.ts";
import { makeFolder, type Own } from "./logic.ts";
import type { By } from "./needs.ts";
import { findNamed } from "./store.ts";
import { addFile } from "./store-file.ts";

const PAGE = 500;

/** What is put back of somebody's Drive, and from where. */
export interface PutBack {
  copy: DriveCopy;
  /** A file, or a folder with all that lies in it; null for the whole Drive. */
  nodeId: string | null;
  /** Name of a new folder at the top that it goes into; null: to where it was, over what is there, which stays as a version. */
  folder: string | null;
  /** Whether it goes on after it was cut off: into the folder of that name that it had begun. */
  isAgain: boolean;
  /** In which order contents are best read: by this, the smallest first. */
  orderOf(sha256: string): number;
  /** The bytes of a content. */
  open(sha256: string): AsyncIterable<Uint8Array>;
  /** Told of each file that is there; may throw to end it. */
  onFile(bytes: number): void;
}

/** How that went. */
export interface PutBackResult {
  files: number;
  /** Files whose place is taken by a folder, or whose folder by a file. */
  skipped: number;
}

interface Placed {
  node: CopiedNode;
  parentId: string | null;
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "drive_name_taken" || error.code === "drive_too_deep");

/** A name for a folder at the top that nothing has; the last one before that, where it is there already. */
function topName(own: Own, userId: string, wanted: string, isAgain: boolean): string {
  const nameOf = (count: number) => (count === 1 ? wanted : `${wanted} (${count})`);
  let free = 1;
  while (findNamed(own.db, userId, null, nameOf(free)) !== null) free += 1;
  return nameOf(isAgain ? Math.max(1, free - 1) : free);
}

/** The folders above a node of the copy, the topmost first. */
function wayTo({ copy }: PutBack, userId: string, { parent_id }: CopiedNode): CopiedNode[] {
  const way: CopiedNode[] = [];
  // What lies deeper has no place here, and whoever wrote the copy could let a folder lie in itself.
  for (let id = parent_id; id !== null && way.length <= MAX_DEPTH; ) {
    const node = copy.findNode(userId, id);
    if (node === null) return way.toReversed();
    way.push(node);
    id = node.parent_id;
  }
  return way.toReversed();
}

/** Makes the folders, and says which files go where. Throws an Error for a copy that has one of them in two places. */
function placeAll(own: Own, by: By, asked: PutBack): { files: Placed[]; skipped: number } {
  const files: Placed[] = [];
  let skipped = 0;
  const makeAt = (name: string, parentId: string | null): string =>
    makeFolder(own, by, { name, parent_id: parentId, may_exist: true }).id;
  let top = asked.folder === null ? null : makeAt(topName(own, by.user_id, asked.folder, asked.isAgain), null);
  const waiting: Placed[] = [];
  // Whoever wrote the copy could let a folder lie in itself, and there would be no end to what is in it.
  const seen = new Set<string>();
  if (asked.nodeId !== null) {
    const node = asked.copy.findNode(by.user_id, asked.nodeId);
    if (node === null) return { files, skipped };
    if (asked.folder === null) for (const { name } of wayTo(asked, by.user_id, node)) top = makeAt(name, top);
    waiting.push({ node, parentId: top });
  }
  const children = function* (id: string | null): Generator<CopiedNode> {
    for (let after = { isFile: 0, name: "", limit: PAGE }; ; ) {
      const page = asked.copy.listChildren(by.user_id, id, after);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = { isFile: last.is_file, name: last.name, limit: PAGE };
    }
  };
  if (asked.nodeId === null) for (const node of children(null)) waiting.push({ node, parentId: top });
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next.node.id)) throw new Error("The Drive in this backup has a folder twice. Choose another backup.");
    seen.add(next.node.id);
    if (next.node.sha256 !== null) {
      files.push(next);
      continue;
    }
    try {
      const parentId = makeAt(next.node.name, next.parentId);
      for (const node of children(next.node.id)) waiting.push({ node, parentId });
    } catch (error) {
      if (!isTaken(error)) throw error;
      skipped += 1;
    }
  }
  return { files, skipped };
}

/** Puts what a copy has of somebody's Drive back. Each file is there whole or not at all. Throws what a full Drive or disk throws. */
export async function putBack(own: Own, by: By, asked: PutBack): Promise<PutBackResult> {
  const placed = own.db.tx(() => placeAll(own, by, asked));
  const result: PutBackResult = { files: 0, skipped: placed.skipped };
  const ordered = placed.files
    .map((file) => ({ ...file, order: asked.orderOf(file.node.sha256 ?? "") }))
    .toSorted((left, right) => left.order - right.order);
  for (const { node, parentId } of ordered) {
    const sha256 = node.sha256 ?? "";
    try {
      await own.contents.keepStream(
        sha256,
        () => asked.open(sha256),
        () => addFile(own, by, { parentId, name: node.name, sha256, size: node.size_bytes, mayReplace: true }),
      );
      result.files += 1;
    } catch (error) {
      if (!isTaken(error)) throw error;
      result.skipped += 1;
    }
    asked.onFile(node.size_bytes);
  }
  return result;
}
