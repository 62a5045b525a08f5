import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { sha256Hex } from "../../../lib/digest.ts";

/** Signatures of other things by the same key must never pass for one of an index. */
const PURPOSE = "orrery template index 1\n";

/** Digest of a template version: over the names and digests of its files, so that nothing can be swapped or renamed. */
export function directoryDigest(files: Readonly<Record<string, string | Uint8Array>>): string {
  const lines = Object.entries(files)
    .map(([name, content]) => `${sha256Hex(content)}  ${name}\n`)
    .sort();
  return sha256Hex(lines.join(""));
}

/** Signs the text of an index with an Ed25519 key; base64. */
export function signIndex(indexText: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(PURPOSE + indexText), privateKey).toString("base64");
}

/** True when the signature is of exactly this text and made with the private half of `publicKeyPem`. */
export function isSignedIndex(indexText: string, signature: string, publicKeyPem: string): boolean {
  try {
    const key = createPublicKey(publicKeyPem);
    return verify(null, Buffer.from(PURPOSE + indexText), key, Buffer.from(signature.trim(), "base64"));
  } catch {
    return false;
  }
}
