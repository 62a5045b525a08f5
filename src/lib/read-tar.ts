const BLOCK = 512;

/** Blocks of text about the entry behind them: its long name, or what does not fit into its header. */
const ABOUT = new Set(["x", "g", "L", "K"]);
/** Such text is short; anything else is no archive of one file. */
const MOST_ABOUT = 1_048_576;

/** Hands out the bytes of a stream in the amounts that are asked for. */
class ByteSource {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next piece of at most `most` bytes; null at the end. */
  async some(most: number): Promise<Uint8Array | null> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) return null;
      this.#rest = next.value;
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  /** Hangs up: what is left is nobody's. */
  async end(): Promise<void> {
    await this.#source.return?.();
  }

  /** Exactly so many bytes. Throws where there are fewer. */
  async exactly(count: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for (let missing = count; missing > 0; missing -= pieces.at(-1)?.length ?? 0) {
      const piece = await this.some(missing);
      if (piece === null) throw new Error("the archive ended too early");
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}

/** A number of a header: octal text, or, where that is too small, big-endian behind a set bit. */
function readNumber(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(field.toString("latin1").replace(/[\0 ].*$/s, ""), 8) || 0;
  return Number(BigInt(`0x${field.subarray(4).toString("hex")}`));
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

/** The one file of an archive: how long it is, and its bytes as they come. Throws for an archive of anything else. */
export async function openTarFile(
  archive: AsyncIterable<Uint8Array>,
): Promise<{ size: number; bytes: AsyncIterable<Uint8Array> }> {
  const source = new ByteSource(archive);
  let told: number | null = null;
  while (true) {
    const header = await source.exactly(BLOCK);
    const size = readNumber(header.subarray(124, 136));
    const type = String.fromCharCode(header[156] ?? 0);
    if (!ABOUT.has(type)) {
      if (type !== "0" && type !== "\0") throw new Error("the archive has no file");
      return { size: told ?? size, bytes: take(source, told ?? size) };
    }
    if (size > MOST_ABOUT) throw new Error("the archive says more of its file than the file has");
    const text = (await source.exactly(padded(size))).subarray(0, size).toString("utf8");
    const record = type === "x" ? /(?:^|\n)\d+ size=(\d+)\n/.exec(text)?.[1] : undefined;
    if (record !== undefined) told = Number(record);
  }
}

async function* take(source: ByteSource, size: number): AsyncGenerator<Uint8Array> {
  try {
    for (let left = size; left > 0; ) {
      const piece = await source.some(left);
      if (piece === null) throw new Error("the archive ended too early");
      left -= piece.length;
      yield piece;
    }
  } finally {
    await source.end();
  }
}
