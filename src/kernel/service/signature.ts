import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { basename, dirname } from "node:path";
import type { Host } from "./host.ts";
import { type ReleaseStatement, readReleaseList } from "./release-list.ts";

declare const ORRERY_RELEASE_KEY: string | undefined;

/** The key that releases of this build's maker are signed with; empty in a build without one. */
export const BUILT_IN_KEY: string = typeof ORRERY_RELEASE_KEY === "string" ? ORRERY_RELEASE_KEY : "";

/** Reads an Ed25519 public key in PEM. Throws when it is another kind. */
export function readPublicKey(pem: string): KeyObject {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("the public key is not an Ed25519 key");
  return key;
}

/** True when the list of sums carries a signature (64 raw bytes) by the key. */
export function isSigned(list: Uint8Array, signature: Uint8Array, key: KeyObject): boolean {
  return verify(null, list, key, signature);
}

/**
 * Checks a release file against `SHA256SUMS` and `SHA256SUMS.sig` (64 raw bytes) in its folder: the list must be signed with `key`
 * and say of exactly these bytes that they are the program. `sha256` is the digest of the copy that will run, so that the
 * file cannot change between check and use. Returns what the maker says of them. Throws with the reason.
 */
export function verifyRelease(
  host: Host,
  program: string,
  path: string,
  sha256: string,
  key: KeyObject,
): ReleaseStatement {
  const sums = `${dirname(path)}/SHA256SUMS`;
  const list = host.readBytes(sums);
  const signature = host.readBytes(`${sums}.sig`);
  if (!list || !signature) throw new Error(`${sums} and ${sums}.sig must lie beside ${basename(path)}`);
  if (!isSigned(list, signature, key))
    throw new Error(`the signature of ${sums} is not from the maker of this program; nothing was changed`);
  const said = readReleaseList(list).find((line) => line.sha256 === sha256 && line.program === program);
  if (!said) throw new Error(`${path} is not the file that ${sums} describes; nothing was changed`);
  return said;
}
