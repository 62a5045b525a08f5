const BLOCK = 512;

/** What the header of a file says. */
export interface TarHeader {
  /** At most 100 bytes. */
  name: string;
  size: number;
  uid: number;
  gid: number;
  /** Seconds since 1970. */
  modified: number;
  /** Permission bits. */
  mode: number;
}

/** Octal text with a zero behind it; big-endian behind a set bit where that is too small. */
function writeNumber(block: Buffer, at: number, length: number, value: number): void {
  const text = value.toString(8);
  if (text.length < length) {
    block.write(`${text.padStart(length - 1, "0")}\0`, at, "latin1");
    return;
  }
  block.write(value.toString(16).padStart(length * 2, "0"), at, "hex");
  block[at] = 0x80;
}

/** The header of a file. */
export function tarHeader({ name, size, uid, gid, modified, mode }: TarHeader): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100, "utf8");
  writeNumber(block, 100, 8, mode);
  writeNumber(block, 108, 8, uid);
  writeNumber(block, 116, 8, gid);
  writeNumber(block, 124, 12, size);
  writeNumber(block, 136, 12, modified);
  // The sum is over a header whose own field is blank.
  block.write(" ".repeat(8), 148, "latin1");
  block.write("0", 156, "latin1");
  block.write("ustar\0" + "00", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

/** An archive of one file whose bytes come piece by piece; exactly as many as the header says. */
export async function* writeTar(header: TarHeader, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield tarHeader(header);
  yield* bytes;
  const rest = (BLOCK - (header.size % BLOCK)) % BLOCK;
  yield Buffer.alloc(rest + 2 * BLOCK);
}
