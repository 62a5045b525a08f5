import { entryHeaders, tarEnd } from "../../engine/index.ts";
import type { ResticNode } from "./documents.ts";
import type { BlobReader } from "./repository.ts";
import { sha256 } from "./seal.ts";
import type { Trees } from "./trees.ts";

/** Files whose other names are remembered; those of more become files of their own. */
const MOST_TWINS = 200_000;
const BLOCK = 512;
const SLASH = Buffer.from("/");

const joined = (way: readonly Buffer[]): Buffer =>
  Buffer.concat(way.flatMap((name, at) => (at === 0 ? [name] : [SLASH, name])));

/** What a file holds, as its blobs. */
export function contentOf(blobs: BlobReader, { content }: ResticNode) {
  const wanted = content.map((id) => blobs.find(id, false));
  return { size: wanted.reduce((sum, blob) => sum + blobs.sizeOf(blob), 0), bytes: blobs.read(wanted) };
}

/** A folder of a snapshot as a tar archive, with modes, owners, times and attributes; devices, pipes and sockets are left out. */
export async function* writeArchive(
  blobs: BlobReader,
  trees: Trees,
  tree: string,
  top: ResticNode | null,
): AsyncGenerator<Uint8Array> {
  const twins = new Map<string, Buffer>();

  function headersOf(
    node: ResticNode,
    name: Buffer,
    more: { type: "file" | "folder" | "link" | "twin"; size: number; link: Buffer | null },
  ) {
    const { mode, uid, gid, mtime, fraction, attributes } = node;
    const time = mtime >= 0 && fraction !== "" ? `${mtime}.${fraction}` : String(mtime);
    return entryHeaders({ name, mode, uid, gid, time, attributes, ...more });
  }

  async function* entryOf(node: ResticNode, name: Buffer): AsyncGenerator<Uint8Array> {
    if (node.kind === "other") return;
    if (node.kind === "folder")
      return yield headersOf(node, Buffer.concat([name, SLASH]), { type: "folder", size: 0, link: null });
    if (node.kind === "link") return yield headersOf(node, name, { type: "link", size: 0, link: node.link });
    // The same content, too: whoever made the snapshot could say of any two files that they are one.
    const key =
      node.twin === null ? null : `${node.twin} ${sha256(Buffer.from(node.content.join(""))).toString("hex")}`;
    const first = key === null ? undefined : twins.get(key);
    if (first !== undefined) return yield headersOf(node, name, { type: "twin", size: 0, link: first });
    if (key !== null && twins.size < MOST_TWINS) twins.set(key, name);
    const { size, bytes } = contentOf(blobs, node);
    yield headersOf(node, name, { type: "file", size, link: null });
    yield* bytes;
    if (size % BLOCK !== 0) yield new Uint8Array(BLOCK - (size % BLOCK));
  }

  if (top !== null) yield* entryOf(top, top.raw);
  for await (const { node, way } of trees.walk(tree, top === null ? [] : [top.raw])) yield* entryOf(node, joined(way));
  yield tarEnd();
}
