import { type EngineSession, type Piece, renameHeaders, type TarEntry, tarEnd } from "../engine/index.ts";
import { ARCHIVE_ROOT } from "./archive-filter.ts";
import type { VolumeIndex } from "./browse-state.ts";
import { fail } from "./contract.ts";

interface Stretch {
  from: number;
  to: number;
}

/** Where bytes of an archive lie in its chunks. Stretches may come in any order. */
export function piecesOf({ chunks }: Pick<VolumeIndex, "chunks">, stretches: readonly Stretch[]): Piece[] {
  const starts: number[] = [];
  let sum = 0;
  for (const { length } of chunks) {
    starts.push(sum);
    sum += length;
  }
  const chunkAt = (position: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const pieces: Piece[] = [];
  for (const { from, to } of stretches) {
    let at = from;
    for (let number = chunkAt(from); at < to; number++) {
      const chunk = chunks[number];
      const start = starts[number];
      if (!chunk || start === undefined) throw fail("backup_file_damaged", { reason: "it ends too soon." });
      const end = Math.min(to, start + chunk.length);
      pieces.push({ id: chunk.id, from: at - start, to: end - start });
      at = end;
    }
  }
  return pieces;
}

/** An entry, and what lies below it when it is a folder. Throws `backup_file_not_found`. */
export function findBelow({ entries }: VolumeIndex, path: string): { top: TarEntry; all: TarEntry[] } {
  const top = entries.find((entry) => entry.path === path);
  if (!top) throw fail("backup_file_not_found", { path });
  return { top, all: entries.filter((entry) => entry.path === path || entry.path.startsWith(`${path}/`)) };
}

/** The entry that has the content of a file. Throws `backup_file_not_found`. */
export function contentOf({ entries }: VolumeIndex, entry: TarEntry): TarEntry {
  if (entry.kind !== "twin") return entry;
  const whole = entries.find(({ path, kind }) => path === entry.link && kind === "file");
  if (!whole) throw fail("backup_file_not_found", { path: entry.link ?? entry.path });
  return whole;
}

/** Bytes as they are asked for from a stream that comes in pieces of its own. */
function slicer(source: AsyncIterator<Uint8Array>) {
  let held: Uint8Array = new Uint8Array(0);
  const more = async (): Promise<void> => {
    const next = await source.next();
    if (next.done === true) throw fail("backup_file_damaged", { reason: "it ends too soon." });
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
  };
  return {
    async whole(length: number): Promise<Uint8Array> {
      while (held.length < length) await more();
      const taken = held.subarray(0, length);
      held = held.subarray(length);
      return taken;
    },
    async *pass(length: number): AsyncGenerator<Uint8Array> {
      for (let left = length; left > 0; ) {
        if (held.length === 0) await more();
        const taken = held.subarray(0, left);
        held = held.subarray(taken.length);
        left -= taken.length;
        yield taken;
      }
    },
  };
}

/**
 * Entries of a volume as an archive of their own, with owners, modes, times and attributes. `rename` says their paths in it. A second
 * name of a file that is left out becomes the file.
 */
export async function* writeArchiveOf(
  session: Pick<EngineSession, "readPieces">,
  index: VolumeIndex,
  chosen: readonly TarEntry[],
  rename: (path: string) => string,
): AsyncGenerator<Uint8Array> {
  const isIn = new Set(chosen.map(({ path }) => path));
  const plans = chosen.map((entry) => {
    const isAlone = entry.kind === "twin" && (!isIn.has(entry.link ?? "") || rename(entry.path) !== entry.path);
    return { entry, content: isAlone ? contentOf(index, entry) : entry, isAlone };
  });
  const stretches = plans.flatMap(({ entry, content }) => [
    { from: entry.at, to: entry.data },
    { from: content.data, to: content.end },
  ]);
  const bytes = slicer(session.readPieces(piecesOf(index, stretches))[Symbol.asyncIterator]());
  for (const { entry, content, isAlone } of plans) {
    const headers = await bytes.whole(entry.data - entry.at);
    const path = rename(entry.path);
    if (path === entry.path && !isAlone) yield headers;
    else yield renameHeaders(headers, `${ARCHIVE_ROOT}/${path}`, isAlone ? { size: content.size } : null);
    yield* bytes.pass(content.end - content.data);
  }
  yield tarEnd();
}
