import type { BlobRow } from "./catalogue-store.ts";
import { DamagedBytes } from "./read-blobs.ts";
import { aboutBlob } from "./records.ts";
import { framesAt, type Opener, sealedSize, startOfFrame, VAULT_HEAD_BYTES, type Vault } from "./vault.ts";

/** How many bytes of a blob are written. */
export const writtenSize = ({ size, sealed }: Pick<BlobRow, "size" | "sealed">): number =>
  sealed === 1 ? sealedSize(size) : size;

/** The bytes of an encrypted blob out of those that are written, wherever they come from. Throws DamagedBytes where they are not whole. */
export async function* openWritten(
  vault: Vault,
  { id, size }: Pick<BlobRow, "id" | "size">,
  written: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array = new Uint8Array();
  let opener: Opener | null = null;
  let at = 0;
  for await (const bytes of written) {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    if (opener === null) {
      if (held.length < VAULT_HEAD_BYTES) continue;
      opener = vault.opener(aboutBlob(id), size, held);
      if (opener === null) throw new DamagedBytes(`${id} is encrypted with another key, or damaged`);
      held = held.subarray(VAULT_HEAD_BYTES);
    }
    for (;;) {
      const frames = framesAt(size, at, startOfFrame(1));
      if (at >= size || held.length < frames.bytes) break;
      const opened = opener.open(frames, held);
      if (opened === null) throw new DamagedBytes(`${id} is not what was stored`);
      held = held.subarray(frames.bytes);
      at += opened.length;
      yield opened;
    }
  }
  if (at < size) throw new DamagedBytes(`${id} is cut short`);
}
