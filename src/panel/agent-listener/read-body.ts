import type { IncomingMessage } from "node:http";
import { kernelFail } from "../../kernel/http/errors.ts";

/**
 * The JSON value of a request of at most `limit` bytes, counted while it arrives. Throws `payload_too_large`,
 * `unsupported_media_type`, `invalid_request`.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw kernelFail("unsupported_media_type");
  }
  if (Number(request.headers["content-length"] ?? 0) > limit)
    throw kernelFail("payload_too_large", { limit_bytes: limit });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) throw kernelFail("payload_too_large", { limit_bytes: limit });
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw kernelFail("invalid_request", { field: "body", reason: "is not valid JSON" });
  }
}
