import type { ResticNode } from "./documents.ts";
import { MOST_NODES, parseTree } from "./documents.ts";
import { overLimit, ResticFailure } from "./failure.ts";
import type { BlobReader } from "./repository.ts";

const MOST_HELD = 8;
const DEEPEST = 512;
const MOST_ENTRIES = 1_000_000;

/** Folders of snapshots; the last ones stay in memory, all together no more than a large one. */
export interface Trees {
  /** What lies in the folder of that tree. */
  read(tree: string): Promise<readonly ResticNode[]>;
  /** What stands at a path below a tree. Throws `restic_path`. */
  find(tree: string, path: readonly string[]): Promise<ResticNode>;
  /** A folder's entries and all below, each after its folder, with the names on the way there. */
  walk(tree: string, way: readonly Buffer[]): AsyncGenerator<{ node: ResticNode; way: readonly Buffer[] }>;
}

/** What a folder takes of memory: its entries, and the ids of what is in them. */
const weightOf = (nodes: readonly ResticNode[]): number =>
  nodes.reduce((sum, { content, attributes }) => sum + 1 + content.length + attributes.length, 0);

/** Reads folders, and keeps so many entries of them. */
export function createTrees(blobs: BlobReader, mostEntries = MOST_NODES): Trees {
  let held: { tree: string; nodes: readonly ResticNode[] }[] = [];

  async function read(tree: string): Promise<readonly ResticNode[]> {
    const known = held.find((one) => one.tree === tree);
    if (known) return known.nodes;
    const parts: Uint8Array[] = [];
    for await (const part of blobs.read([blobs.find(tree, true)])) parts.push(part);
    const nodes = parseTree(Buffer.concat(parts));
    let entries = 0;
    held = [{ tree, nodes }, ...held].slice(0, MOST_HELD).filter((one) => {
      entries += weightOf(one.nodes);
      return entries <= mostEntries;
    });
    return nodes;
  }

  return {
    read,
    async find(tree, path) {
      let found: ResticNode | undefined;
      for (const [depth, name] of path.entries()) {
        const within = depth === 0 ? tree : found?.subtree;
        found = within == null ? undefined : (await read(within)).find((node) => node.name === name);
        if (found === undefined) break;
      }
      if (found === undefined) throw new ResticFailure("restic_path", path.join("/"));
      return found;
    },
    async *walk(tree, way) {
      const stack = [{ tree, way, at: 0 }];
      let count = 0;
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const node = (await read(top.tree))[top.at];
        top.at += 1;
        if (node === undefined) {
          stack.pop();
          continue;
        }
        count += 1;
        if (count > MOST_ENTRIES) throw overLimit(`It has more than ${MOST_ENTRIES} files and folders`);
        const below = [...top.way, node.raw];
        yield { node, way: below };
        if (node.subtree === null) continue;
        if (stack.length >= DEEPEST) throw overLimit(`Its folders are more than ${DEEPEST} deep`);
        stack.push({ tree: node.subtree, way: below, at: 0 });
      }
    },
  };
}
