import { Value } from "@sinclair/typebox/value";
import type { Take } from "../../../kernel/http/body-budget.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { ByteBuffer } from "../../../lib/byte-buffer.ts";
import { FILE_LIMIT_BYTES, FolderInput, fail } from "./contract.ts";

/** Largest request around a file: boundaries and part headers. */
export const FILE_BODY_BYTES = FILE_LIMIT_BYTES + 16_384;

const tooLarge = () => kernelFail("payload_too_large", { limit_bytes: FILE_LIMIT_BYTES });

/** The file in multipart field `file`. Throws `drive_file_missing`, `invalid_request`, `payload_too_large` and what `take` throws. */
export async function readFile(request: Request, take: Take): Promise<{ name: string; bytes: Uint8Array }> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data")) throw fail("drive_file_missing");
  const body = new ByteBuffer();
  for await (const chunk of request.body ?? []) {
    if (body.length + chunk.length > FILE_BODY_BYTES) throw tooLarge();
    take(chunk.length);
    body.append(chunk);
  }
  const whole = new Response(new Uint8Array(body.view()), { headers: { "content-type": type } });
  const form = await whole.formData().catch(() => null);
  const file = form?.get("file");
  if (!(file instanceof File)) throw fail("drive_file_missing");
  const stranger = [...(form?.keys() ?? [])].find((name, at) => name !== "file" || at > 0);
  if (stranger !== undefined)
    throw kernelFail("invalid_request", {
      field: stranger,
      reason: stranger === "file" ? "is there twice" : "is not known here",
    });
  if (file.size > FILE_LIMIT_BYTES) throw tooLarge();
  if (!Value.Check(FolderInput.properties.name, file.name))
    throw kernelFail("invalid_request", { field: "name", reason: "must be one line of at most 255 characters" });
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}
