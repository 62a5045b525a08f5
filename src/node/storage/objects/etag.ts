import { createHash } from "node:crypto";

/** The etag of an object that came in parts. */
export function etagOfParts(etags: readonly string[]): string {
  const hash = createHash("md5");
  for (const etag of etags) hash.update(Buffer.from(etag, "hex"));
  return `${hash.digest("hex")}-${etags.length}`;
}
