import { createHmac } from "node:crypto";

/** The shared secret is never a key itself: what was signed for one purpose means nothing for another. */
export function keyFor(purpose: "assertion" | "identity", secret: string): Uint8Array {
  return createHmac("sha256", secret).update(`orrery:panel-${purpose}`).digest();
}
