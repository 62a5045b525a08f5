import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 as lowercase hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Compares two secrets without telling by time where they differ. Lengths are hidden by hashing first. */
export function constantTimeEqual(left: string, right: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(left), hash(right));
}
