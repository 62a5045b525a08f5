import { createHash } from "node:crypto";
import { closeSync, fstatSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { readAttributes } from "../../../kernel/host/xattrs.ts";
import { letGo } from "./chunk-work.ts";
import { createChunker, makeGear } from "./chunker.ts";
import { EngineFailure } from "./failure.ts";
import { writeIdList } from "./id-list.ts";
import { createLane } from "./lane.ts";
import type { Repository } from "./repository.ts";
import type { Passed, StoredStream } from "./snapshot.ts";
import { entryHeaders, tarEnd } from "./tar.ts";
import { makeLayout, openLayout, type PlacedChunk, type PlacedEntry } from "./tree-layout-store.ts";
import { attempt, reachTree, type TreeEntry, walkTree } from "./tree-walk.ts";

const BLOCK = 512;
const PIECE_BYTES = 256 * 1024;
/** What is passed in one step, so that whoever waits can say how far it is, or end it. */
const STEP_BYTES = 64 * 1024 * 1024;
const STEP_ENTRIES = 5000;
const YIELD_BYTES = 1024 * 1024;
/** What changed so shortly before could change again without its time telling; longer where a disk counts in whole seconds. */
const FRESH_MS = 100;
const FRESH_MS_OF_SECONDS = 2000;
const SECOND_NS = 1_000_000_000n;
/** Attributes that belong to the files of an app; the others are of this machine. */
const OURS = /^user\.|^security\.capability$|^system\.posix_acl_/;

/** A folder that becomes an archive. */
export interface TreeSource {
  /** The folder on this machine. */
  root: string;
  /** What it is called in the archive. */
  top: string;
  /** The file of the layout of the time before, or where none is. */
  earlier: string;
  /** Where the layout of this time is written. */
  fresh: string;
  /**
   * Where the folder lies in a snapshot of its disk: when that was taken, in milliseconds since 1970. Of other disks and subvolumes a
   * snapshot has nothing but the empty folders that they were at, so none may be below it.
   */
  taken_at?: number;
}

/** A folder on its way into a repository as an archive. What has not changed since the time before is not read again. */
export interface TreeWriter {
  /** Goes on for a while; what passed meanwhile, or null when all of it is stored. Throws `tree_unread`. */
  next(): Promise<Passed | null>;
  /** What it is, and how many bytes it added. */
  end(): Promise<{ stream: StoredStream; added: number }>;
  /** Closes what is open; safe to call at any time. */
  close(): void;
}

/** An entry on its way; `known` says where it stood, if it is unchanged. */
interface Coming {
  entry: TreeEntry;
  mark: string;
  known: PlacedEntry | null;
  head: Uint8Array | null;
}

const secondsOf = (nanoseconds: bigint): string => {
  const rest = ((nanoseconds % SECOND_NS) + SECOND_NS) % SECOND_NS;
  const seconds = (nanoseconds - rest) / SECOND_NS;
  // A decimal number below zero counts away from it.
  return seconds < 0n ? String(seconds) : `${seconds}.${String(rest).padStart(9, "0")}`;
};

/** Begins one. `now` is in milliseconds since 1970, of the clock that the disk's times come from. */
export function writeTree(
  repository: Repository,
  { root, top, earlier, fresh, taken_at }: TreeSource,
  now: number,
): TreeWriter {
  const layout = openLayout(earlier);
  const made = makeLayout(fresh);
  const reach = reachTree(root);
  const walk = walkTree(root, taken_at !== undefined);
  const chunker = createChunker(makeGear(repository.keys.gear));
  const ids = writeIdList(repository);
  const hash = createHash("sha256");
  const nanoseconds = (milliseconds: number): bigint => BigInt(Math.floor(milliseconds)) * 1_000_000n;
  // What is in a snapshot may have changed since: what matters is how old it was then.
  const asOf = taken_at ?? now;
  const oldEnough = nanoseconds(asOf - FRESH_MS);
  const oldEnoughInSeconds = nanoseconds(asOf - FRESH_MS_OF_SECONDS);
  const queue: Coming[] = [];
  /** What is read goes into it and is cut at once. */
  const room = new Uint8Array(PIECE_BYTES + BLOCK);
  /** How much of the first of the queue has passed, where in the archive it began, and where the chunk that comes next begins. */
  let offset = 0;
  let began = 0;
  let cut = 0;
  let file: number | null = null;
  let added = 0;
  let files = 0;
  let told = { files, added };
  let isOver = false;
  const lane = createLane<PlacedChunk & { added: number }>(async (chunk) => {
    added += chunk.added;
    hash.update(Buffer.from(chunk.id, "hex"));
    made.addChunk(chunk);
    await ids.add(chunk.id);
  });

  function markOf({ type, stat, link }: TreeEntry): string {
    // The time of the last change of anything, which nobody can set.
    if (stat.ctimeNs > (stat.ctimeNs % SECOND_NS === 0n ? oldEnoughInSeconds : oldEnough)) return "";
    const twin = type === "twin" && link ? link.toString("hex") : "";
    return [type, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, stat.mode, stat.uid, stat.gid, twin].join(" ");
  }

  /** The entry so many after the first; null behind the last. */
  function peek(index: number): Coming | null {
    while (queue.length <= index) {
      const found = walk.next();
      if (found.done === true) return null;
      const mark = markOf(found.value);
      queue.push({ entry: found.value, mark, known: layout?.find(found.value.name, mark) ?? null, head: null });
    }
    return queue[index] ?? null;
  }

  const nameOf = (name: Uint8Array, isFolder: boolean): Uint8Array =>
    Buffer.concat([Buffer.from(name.length === 0 ? top : `${top}/`), name, Buffer.from(isFolder ? "/" : "")]);

  function headOf({ type, name, stat, link }: TreeEntry): Uint8Array {
    return entryHeaders({
      type,
      name: nameOf(name, type === "folder"),
      link: type === "twin" && link ? nameOf(link, false) : link,
      size: type === "file" ? Number(stat.size) : 0,
      mode: Number(stat.mode),
      uid: Number(stat.uid),
      gid: Number(stat.gid),
      time: secondsOf(stat.mtimeNs),
      attributes: readAttributes(name.length === 0 ? Buffer.from(root) : reach.pathOf(name)).filter((one) =>
        OURS.test(one.name),
      ),
    });
  }

  const lengthOf = ({ entry, head, known }: Coming): number => {
    if (known) return known.end - known.at;
    const size = entry.type === "file" ? Number(entry.stat.size) : 0;
    return (head?.length ?? 0) + Math.ceil(size / BLOCK) * BLOCK;
  };

  /** The first of the queue has passed. */
  function leave(first: Coming): void {
    const end = began + lengthOf(first);
    if (first.entry.type === "file") files += 1;
    made.addEntry(first.entry.name, first.mark, { at: began, end });
    began = end;
    offset = 0;
    queue.shift();
    if (file !== null) closeSync(file);
    file = null;
  }

  /** Takes over the chunk that begins here, if all that stood in it stands here unchanged and in the same order. */
  async function takeOver(first: Coming): Promise<boolean> {
    if (first.known === null) return false;
    const from = first.known.at + offset;
    const chunk = layout?.chunkAt(from) ?? null;
    if (chunk === null || !repository.isKept(chunk.id)) return false;
    let last = first.known;
    for (let index = 1; last.end < from + chunk.length; index += 1) {
      const next = peek(index)?.known ?? null;
      if (next?.at !== last.end) return false;
      last = next;
    }
    await lane.add(Promise.resolve({ ...chunk, at: cut, added: 0 }));
    cut += chunk.length;
    for (let left = chunk.length; left > 0; ) {
      const passing = queue[0];
      if (!passing) break;
      const rest = lengthOf(passing) - offset;
      if (left >= rest) leave(passing);
      else offset += left;
      left -= rest;
    }
    return true;
  }

  /** Some of an entry's content, and what fills its last block. */
  function readPiece({ entry }: Coming, from: number): Uint8Array {
    const size = Number(entry.stat.size);
    const wanted = Math.min(PIECE_BYTES, Math.max(0, size - from));
    const piece = room.subarray(0, from + wanted < size ? wanted : Math.ceil(size / BLOCK) * BLOCK - from);
    piece.fill(0, wanted);
    file ??= reach.open(entry);
    const opened = file;
    for (let got = 0; got < wanted; ) {
      const at = got;
      // A snapshot whose room for changes is used up cannot be read any more.
      const more = attempt(() => readSync(opened, piece, at, wanted - at, from + at));
      if (more === 0) throw new EngineFailure("tree_unread", "A file became shorter while it was read.");
      got += more;
    }
    return piece;
  }

  const put = async (chunk: Uint8Array): Promise<void> => {
    const at = cut;
    cut += chunk.length;
    const { length } = chunk;
    const stored = repository.put(chunk).then((kept) => {
      letGo(chunk);
      return { ...kept, at, length };
    });
    await lane.add(stored);
  };

  /** Reads on in the first of the queue. */
  async function read(first: Coming): Promise<void> {
    first.head ??= headOf(first.entry);
    const { head } = first;
    const length = lengthOf(first);
    const piece = offset < head.length ? head.subarray(offset) : readPiece(first, offset - head.length);
    offset += piece.length;
    if (offset > length) throw new EngineFailure("tree_unread", "A file changed while it was read.");
    const chunks = chunker.push(piece);
    for (const chunk of chunks) await put(chunk);
    if (offset === length && file !== null) {
      const { mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
      if (mtimeNs !== first.entry.stat.mtimeNs || ctimeNs !== first.entry.stat.ctimeNs) first.mark = "";
    }
    // What was read behind the end of the chunk may be known: then it is looked at again as the beginning of the next one.
    if (chunks.length > 0 && first.known !== null) offset -= chunker.drop();
    if (offset === length) leave(first);
  }

  return {
    async next() {
      if (isOver) return null;
      const from = began + offset;
      let yielded = from;
      for (let count = 0; count < STEP_ENTRIES && began + offset - from < STEP_BYTES; count += 1) {
        const first = peek(0);
        if (first === null) {
          isOver = true;
          break;
        }
        if (chunker.held() === 0 && (await takeOver(first))) continue;
        await read(first);
        if (began + offset - yielded < YIELD_BYTES) continue;
        // Chunks that are on their way go on in between.
        await setImmediate();
        yielded = began + offset;
      }
      const passed = { bytes: began + offset - from, files: files - told.files, added: added - told.added };
      told = { files, added };
      return passed;
    },
    async end() {
      for (const chunk of chunker.push(tarEnd())) await put(chunk);
      const rest = chunker.end();
      if (rest) await put(rest);
      await lane.end();
      const { list, added: listed } = await ids.end();
      made.end();
      return { stream: { size: cut, sha256: hash.digest("hex"), sum: "ids", list }, added: added + listed };
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
      walk.return(undefined);
      reach.close();
      layout?.close();
      made.close();
    },
  };
}
