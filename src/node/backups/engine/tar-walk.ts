/** A file of an archive on its way. Its bytes must be read or skipped before the next one comes. */
export interface TarFile {
  name: string;
  size: number;
  /** Its bytes as they come; what is not read is skipped. */
  bytes: AsyncGenerator<Uint8Array>;
}

const BLOCK = 512;
/** What an archive may say of a name at most. */
const MOST_WORDS = 1024 * 1024;

/** Bytes of a stream, as many as are asked for. */
function openReader(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();

  async function* upTo(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (rest.length === 0) {
        const next = await pieces.next();
        if (next.done === true) return;
        rest = next.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  return {
    upTo,
    /** Fewer at the end. */
    async take(count: number): Promise<Buffer> {
      const taken: Uint8Array[] = [];
      for await (const piece of upTo(count)) taken.push(piece);
      return Buffer.concat(taken);
    },
  };
}

const textOf = (bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? bytes.length : end).toString();
};

/** A number of a header: octal, or binary where its first bit says so. */
function numberOf(bytes: Buffer): number {
  if ((bytes[0] ?? 0) < 0x80) return Number.parseInt(textOf(bytes).trim() || "0", 8);
  return bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** The words of a PAX header: `LENGTH NAME=VALUE` and a new line, each. */
function readWords(bytes: Buffer): Map<string, string> {
  const words = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = space === -1 ? Number.NaN : Number(bytes.toString("latin1", at, space));
    if (!(length > 0)) return words;
    const text = bytes.toString("utf8", space + 1, at + length - 1);
    const equals = text.indexOf("=");
    if (equals > 0) words.set(text.slice(0, equals), text.slice(equals + 1));
    at += length;
  }
  return words;
}

/** The plain files of a tar archive, one after the other. An archive that makes no sense ends there. */
export async function* walkTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const reader = openReader(source);
  let longName: string | null = null;
  let words = new Map<string, string>();
  for (;;) {
    const head = await reader.take(BLOCK);
    if (head.length < BLOCK || head.every((byte) => byte === 0)) break;
    const kind = String.fromCharCode(head[156] ?? 0);
    const size = Number(words.get("size") ?? numberOf(head.subarray(124, 136)));
    if (!Number.isSafeInteger(size) || size < 0) break;
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    if (kind === "x" || kind === "L") {
      if (size > MOST_WORDS) break;
      const said = await reader.take(size);
      if (kind === "x") words = readWords(said);
      else longName = textOf(said);
    } else {
      const prefix = textOf(head.subarray(345, 500));
      const short = textOf(head.subarray(0, 100));
      const name = words.get("path") ?? longName ?? (prefix === "" ? short : `${prefix}/${short}`);
      const bytes = reader.upTo(size);
      let read = 0;
      const counted = (async function* () {
        for await (const piece of bytes) {
          read += piece.length;
          yield piece;
        }
      })();
      if (kind === "0" || kind === "\0") yield { name, size, bytes: counted };
      for await (const _ of reader.upTo(size - read));
      longName = null;
      words = new Map();
    }
    await reader.take(padding);
  }
  // The rest belongs to the stream, which is checked to its end.
  for await (const _ of reader.upTo(Number.MAX_SAFE_INTEGER));
}
