import type { Repository } from "./repository.ts";

/** Length of an id in a list. */
export const ID_BYTES = 32;
/** Ids in one chunk of a list: it stays below a megabyte. Every one but the last is full. */
export const LISTED = 20_000;

/** The ids of a stream's chunks on their way into a repository. */
export interface IdListWriter {
  add(id: string): Promise<void>;
  /** Ids of the chunks that hold them, and how many bytes those added. */
  end(): Promise<{ list: string[]; added: number }>;
}

/** Begins a list. */
export function writeIdList(repository: Repository): IdListWriter {
  const list: string[] = [];
  let ids: Uint8Array[] = [];
  let added = 0;
  const keep = async () => {
    if (ids.length === 0) return;
    const kept = await repository.put(Buffer.concat(ids));
    added += kept.added;
    list.push(kept.id);
    ids = [];
  };
  return {
    async add(id) {
      ids.push(Buffer.from(id, "hex"));
      if (ids.length === LISTED) await keep();
    },
    async end() {
      await keep();
      return { list, added };
    },
  };
}

/** The ids that one chunk of a list holds. */
export async function readListIds(repository: Repository, listId: string): Promise<string[]> {
  const ids = await readListBytes(repository, listId);
  return Array.from({ length: ids.length / ID_BYTES }, (_, at) =>
    ids.toString("hex", at * ID_BYTES, (at + 1) * ID_BYTES),
  );
}

/** The same as they lie there, one after the other: as text they would take many times as much memory. */
export async function readListBytes(repository: Repository, listId: string): Promise<Buffer> {
  const ids = await repository.get(listId);
  return Buffer.from(ids.buffer, ids.byteOffset, ids.length - (ids.length % ID_BYTES));
}

/** Ids of a list by their number, of which neighbours are asked for one after the other. */
export function openIdList(repository: Repository, list: readonly string[]) {
  let open: { at: number; ids: string[] } | null = null;
  /** Up to `count` of them from a number on, fewer at the end of a chunk of the list. */
  return async (first: number, count: number): Promise<string[]> => {
    const at = Math.floor(first / LISTED);
    if (open?.at !== at) {
      const listId = list[at];
      open = { at, ids: listId === undefined ? [] : await readListIds(repository, listId) };
    }
    const from = first - at * LISTED;
    return open.ids.slice(from, from + count);
  };
}
