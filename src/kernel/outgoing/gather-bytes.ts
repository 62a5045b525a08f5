import { ByteBuffer } from "../../lib/byte-buffer.ts";

/**
 * All bytes of a reply. Held together and not piece by piece: a server may send each byte as a piece, which alone takes a hundred
 * times its room. Throws what `tooLarge` gives beyond `most` bytes. `onPiece` is waited for with the length of each piece.
 */
export async function gatherBytes(
  pieces: AsyncIterable<unknown>,
  most: number,
  tooLarge: () => Error,
  onPiece: (length: number) => unknown = () => {},
): Promise<Buffer> {
  const bytes = new ByteBuffer();
  for await (const piece of pieces) {
    if (!(piece instanceof Uint8Array)) continue;
    if (bytes.length + piece.length > most) throw tooLarge();
    await onPiece(piece.length);
    bytes.append(piece);
  }
  return bytes.take(bytes.length);
}
