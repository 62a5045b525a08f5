import type { Take } from "../../../kernel/http/body-budget.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { ByteBuffer } from "../../../lib/byte-buffer.ts";
import { fail } from "./contract.ts";

/** Largest picture, in bytes of the file itself. */
export const AVATAR_LIMIT_BYTES = 2 * 1024 * 1024;
/** Largest request around it: boundaries and part headers. */
export const AVATAR_BODY_BYTES = AVATAR_LIMIT_BYTES + 16_384;

/** Reads a body of at most `limit` bytes. Throws `payload_too_large` as soon as more arrives, and what `take` throws. */
async function readBody(request: Request, limit: number, take: Take): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new ByteBuffer();
  for await (const chunk of request.body ?? []) {
    if (bytes.length + chunk.length > limit) throw kernelFail("payload_too_large", { limit_bytes: AVATAR_LIMIT_BYTES });
    take(chunk.length);
    bytes.append(chunk);
  }
  return new Uint8Array(bytes.view());
}

/** The bytes of multipart field `file`. Throws `avatar_missing`, `invalid_request`, `payload_too_large` and what `take` throws. */
export async function readPicture(request: Request, take: Take): Promise<Uint8Array<ArrayBuffer>> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data")) throw fail("avatar_missing");
  const body = await readBody(request, AVATAR_BODY_BYTES, take);
  const form = await new Response(body, { headers: { "content-type": type } }).formData().catch(() => null);
  const file = form?.get("file");
  if (!(file instanceof Blob)) throw fail("avatar_missing");
  const stranger = [...(form?.keys() ?? [])].find((name, at) => name !== "file" || at > 0);
  if (stranger !== undefined) {
    const reason = stranger === "file" ? "is there twice" : "is not known here";
    throw kernelFail("invalid_request", { field: stranger, reason });
  }
  if (file.size > AVATAR_LIMIT_BYTES) throw kernelFail("payload_too_large", { limit_bytes: AVATAR_LIMIT_BYTES });
  return new Uint8Array(await file.arrayBuffer());
}
