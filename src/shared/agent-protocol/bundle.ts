import { sha256Hex } from "../../lib/digest.ts";
import { splitCertificates } from "../../lib/pem.ts";

/** A short name for a set of roots, whatever their order: a node tells it, so that the panel sees who lacks a new one. */
export function bundleId(bundle: string): string {
  const parts = splitCertificates(bundle).map((pem) => sha256Hex(pem.replace(/\s/g, "")));
  return sha256Hex(parts.sort().join("\n")).slice(0, 32);
}
