/** A file or folder of an archive. */
export interface ZipEntry {
  /** From the top of the archive down, without a slash at its ends. */
  name: string;
  /** When it was changed, in milliseconds. */
  at: number;
  /** What it holds, with how much that is; null for a folder. */
  content: { size: number; open(): Promise<AsyncIterable<Uint8Array>> } | null;
}

const LIMIT_16 = 0xffff;
const LIMIT_32 = 0xffffffff;
/** Version of the format that a reader needs: folders, or sizes of 64 bits. */
const PLAIN = 20;
const LARGE = 45;
/** Names are UTF-8; the sum and the size follow what they are of. */
const UTF8 = 0x0800;
const SUM_FOLLOWS = 0x0008;
const encoder = new TextEncoder();

/** Numbers of the format, each with its bytes; it has the smallest byte first. */
function fields(...numbers: readonly (readonly [bytes: 1 | 2 | 4 | 8, value: number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of numbers) {
    if (bytes === 1) view.setUint8(at, value);
    else if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** A time as MS-DOS wrote it: two bytes of time, two of date, from 1980 on, in steps of two seconds. */
function dosTime(at: number): [time: number, date: number] {
  const moment = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  const year = Math.min(127, moment.getUTCFullYear() - 1980);
  return [time, (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()];
}

/** An entry as the directory at the end names it. */
interface Listed {
  name: Uint8Array;
  isFolder: boolean;
  at: number;
  size: number;
  sum: number;
  offset: number;
}

const isLarge = (size: number): boolean => size >= LIMIT_32;
const short = (value: number): number => (isLarge(value) ? LIMIT_32 : value);
/** The time in seconds, which readers of today prefer. */
const timeExtra = (at: number): Uint8Array =>
  fields([2, 0x5455], [2, 5], [1, 1], [4, Math.min(LIMIT_32, Math.max(0, Math.floor(at / 1000)))]);

function localHeader({ name, isFolder, at, size }: Listed): Uint8Array[] {
  const [time, date] = dosTime(at);
  const extra = [timeExtra(at), ...(isLarge(size) ? [fields([2, 1], [2, 16], [8, 0], [8, 0])] : [])];
  const needs = isLarge(size) ? LARGE : PLAIN;
  const said = isLarge(size) ? LIMIT_32 : 0;
  const head = fields(
    ...([
      [4, 0x04034b50],
      [2, needs],
      [2, isFolder ? UTF8 : UTF8 | SUM_FOLLOWS],
      [2, 0],
      [2, time],
    ] as const),
    ...([
      [2, date],
      [4, 0],
      [4, said],
      [4, said],
      [2, name.length],
      [2, lengthOf(extra)],
    ] as const),
  );
  return [head, name, ...extra];
}

function directoryHeader({ name, isFolder, at, size, sum, offset }: Listed): Uint8Array[] {
  const [time, date] = dosTime(at);
  const long: [8, number][] = [];
  if (isLarge(size)) long.push([8, size], [8, size]);
  if (isLarge(offset)) long.push([8, offset]);
  const extra = [timeExtra(at), ...(long.length > 0 ? [fields([2, 1], [2, long.length * 8], ...long)] : [])];
  const needs = long.length > 0 ? LARGE : PLAIN;
  // What kind of file it is and who may read it, as Unix writes them.
  const mode = isFolder ? (0o040755 << 16) | 0x10 : 0o100644 << 16;
  const head = fields(
    ...([
      [4, 0x02014b50],
      [2, (3 << 8) | needs],
      [2, needs],
      [2, isFolder ? UTF8 : UTF8 | SUM_FOLLOWS],
    ] as const),
    ...([
      [2, 0],
      [2, time],
      [2, date],
      [4, sum],
      [4, short(size)],
      [4, short(size)],
      [2, name.length],
    ] as const),
    ...([
      [2, lengthOf(extra)],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, mode >>> 0],
      [4, short(offset)],
    ] as const),
  );
  return [head, name, ...extra];
}

function ending(count: number, size: number, offset: number): Uint8Array {
  const few = Math.min(count, LIMIT_16);
  const plain = fields(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, few],
      [2, few],
      [4, short(size)],
      [4, short(offset)],
      [2, 0],
    ] as const),
  );
  if (count < LIMIT_16 && !isLarge(size) && !isLarge(offset)) return plain;
  const long = fields(
    ...([
      [4, 0x06064b50],
      [8, 44],
      [2, (3 << 8) | LARGE],
      [2, LARGE],
      [4, 0],
      [4, 0],
      [8, count],
    ] as const),
    ...([
      [8, count],
      [8, size],
      [8, offset],
    ] as const),
    ...([
      [4, 0x07064b50],
      [4, 0],
      [8, offset + size],
      [4, 1],
    ] as const),
  );
  return new Uint8Array(Buffer.concat([long, plain]));
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

/**
 * An archive of these entries as it is read: nothing is compressed, nothing kept but the directory that ends it. Throws where a content has
 * not the size that it was said to have, or a name more than 65,535 bytes, since the archive could not be opened.
 */
export async function* zipOf(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  const listed: Listed[] = [];
  let written = 0;
  const count = (piece: Uint8Array): Uint8Array => {
    written += piece.length;
    return piece;
  };
  for (const { name, at, content } of entries) {
    const isFolder = content === null;
    const encoded = encoder.encode(isFolder ? `${name}/` : name);
    // Its length would be cut to 16 bits, and nothing that follows could be found.
    if (encoded.length > LIMIT_16) throw new Error(`a name of ${encoded.length} bytes does not fit into an archive`);
    const entry = {
      name: encoded,
      isFolder,
      at,
      size: content?.size ?? 0,
      sum: 0,
    };
    const one: Listed = { ...entry, offset: written };
    yield count(new Uint8Array(Buffer.concat(localHeader(one))));
    listed.push(one);
    if (content === null) continue;
    let size = 0;
    for await (const piece of await content.open()) {
      size += piece.length;
      one.sum = Bun.hash.crc32(piece, one.sum);
      yield count(piece);
    }
    if (size !== content.size) throw new Error(`${name} has ${size} bytes instead of ${content.size}`);
    const bytes = isLarge(size) ? 8 : 4;
    yield count(fields([4, 0x08074b50], [4, one.sum], [bytes, size], [bytes, size]));
  }
  const offset = written;
  for (const one of listed) yield count(new Uint8Array(Buffer.concat(directoryHeader(one))));
  yield ending(listed.length, written - offset, offset);
}
