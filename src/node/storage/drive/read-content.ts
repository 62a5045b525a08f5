import type { Contents } from "./contents.ts";

/** A content, with how much it is. */
export interface Content {
  sha256: string;
  size_bytes: number;
}

/** Reads some bytes of a content into memory. Throws `drive_not_found`. */
export async function readBytes(
  contents: Pick<Contents, "open">,
  sha256: string,
  range: { start: number; length: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(range.length);
  let at = 0;
  for await (const piece of await contents.open(sha256, range)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Reads how a content begins, or all of it where it is no more than that. Throws `drive_not_found`. */
export const readStart = (
  contents: Pick<Contents, "open">,
  { sha256, size_bytes }: Content,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> => readBytes(contents, sha256, { start: 0, length: Math.min(size_bytes, most) });
