/** The program of the thread that restic repositories are read in: all that takes a processor happens here. */
import { answerQuestions } from "../../../kernel/thread.ts";
import { openPlace, type Target } from "../engine/index.ts";
import { contentOf, writeArchive } from "./format/archive.ts";
import type { ResticNode } from "./format/documents.ts";
import { ResticFailure } from "./format/failure.ts";
import { type IndexStore, openIndexStore } from "./format/index-store.ts";
import { type BlobReader, createBlobReader, type Opened, openRestic } from "./format/repository.ts";
import { type Progress, syncStore } from "./format/sync.ts";
import { createTrees, type Trees } from "./format/trees.ts";
import type { Answer, Begun, Question, ShownNode, SnapshotPage } from "./protocol.ts";

interface Current {
  target: Target;
  opened: Opened;
  store: IndexStore;
  blobs: BlobReader;
  trees: Trees;
}

let current: Current | null = null;
let syncing: AsyncGenerator<Progress> | null = null;
let reader: AsyncGenerator<Uint8Array> | null = null;

function opened(): Current {
  if (!current) throw new Error("no repository is open");
  return current;
}

const show = ({ name, kind, size, mtime, link }: ResticNode): ShownNode => ({
  ...{ name, kind, size, mtime },
  link: link === null ? null : link.toString(),
});

const byKindAndName = (left: ResticNode, right: ResticNode): number => {
  const rank = ({ kind }: ResticNode) => (kind === "folder" ? 0 : 1);
  return rank(left) - rank(right) || (left.name < right.name ? -1 : left.name > right.name ? 1 : 0);
};

/** The root of a snapshot, and what stands at a path in it; null for the root itself. */
async function locate(id: string, path: readonly string[]): Promise<{ root: string; node: ResticNode | null }> {
  const snapshot = opened().store.snapshot(id);
  if (snapshot === null) throw new ResticFailure("restic_snapshot", id);
  return { root: snapshot.tree, node: path.length === 0 ? null : await opened().trees.find(snapshot.tree, path) };
}

/** Sorted and cut here: a list of all would keep whoever asks from everything else. */
function pageOf(from: number, limit: number): SnapshotPage {
  const { readable, unreadable } = opened().store.snapshots();
  readable.sort((left, right) => right.at - left.at || (left.id < right.id ? -1 : 1));
  return { page: readable.slice(from, from + limit), total: readable.length, unreadable };
}

async function readFolder(id: string, path: readonly string[], from: number, limit: number): Promise<Answer> {
  const { root, node } = await locate(id, path);
  const tree = node === null ? root : node.subtree;
  if (tree === null) throw new ResticFailure("restic_path", path.join("/"));
  const nodes = [...(await opened().trees.read(tree))].sort(byKindAndName);
  return { folder: { total: nodes.length, nodes: nodes.slice(from, from + limit).map(show) } };
}

async function begin(id: string, path: readonly string[]): Promise<Begun> {
  const { blobs, trees } = opened();
  const { root, node } = await locate(id, path);
  if (node?.kind === "file") {
    const { size, bytes } = contentOf(blobs, node);
    reader = bytes;
    return { isFolder: false, name: node.name, size };
  }
  const tree = node === null ? root : node.subtree;
  if (tree === null) throw new ResticFailure("restic_kind", path.join("/"));
  // Read before anything leaves, so that what is damaged at the top is told as an error.
  await trees.read(tree);
  reader = writeArchive(blobs, trees, tree, node);
  return { isFolder: true, name: node?.name ?? `snapshot-${id.slice(0, 8)}`, size: null };
}

async function answer(question: Question): Promise<Answer> {
  switch (question.ask) {
    case "open": {
      // Whoever attaches it waits to hear whether it answers.
      const target = await openPlace(question.place, question.index === null ? "once" : "patient");
      const repository = await openRestic(target, question.password);
      if (question.index !== null) {
        const store = openIndexStore(question.index);
        const blobs = createBlobReader(target, repository.key, store);
        current = { target, opened: repository, store, blobs, trees: createTrees(blobs) };
      }
      return { version: repository.version };
    }
    case "sync": {
      const { target, opened: repository, store } = opened();
      syncing = syncStore(target, repository, store, question.room);
      return {};
    }
    case "sync_next":
      return { progress: (await syncing?.next())?.value ?? null };
    case "snapshots":
      return { snapshots: pageOf(question.from, question.limit) };
    case "folder":
      return await readFolder(question.snapshot, question.path, question.from, question.limit);
    case "begin":
      return { begun: await begin(question.snapshot, question.path) };
    case "next":
      return { bytes: (await reader?.next())?.value ?? null };
  }
}

answerQuestions(answer);
