import { type KeyObject, sign, verify } from "node:crypto";
import { der, oid, sequence, TAG } from "../../lib/der.ts";

type KeyFamily = "ec" | "rsa" | "ed25519";

interface SignatureKind {
  /** The AlgorithmIdentifier as certificates carry it. */
  identifier: Uint8Array;
  family: KeyFamily;
  /** Null where the key itself says how to hash. */
  hash: string | null;
}

const NULL = der(0x05);
const kind = (id: string, family: KeyFamily, hash: string | null, ...parameters: Uint8Array[]): SignatureKind => ({
  identifier: sequence(oid(id), ...parameters),
  family,
  hash,
});

const ECDSA_SHA256 = kind("1.2.840.10045.4.3.2", "ec", "sha256");
const RSA_SHA256 = kind("1.2.840.113549.1.1.11", "rsa", "sha256", NULL);
const ED25519 = kind("1.3.101.112", "ed25519", null);

const KINDS: readonly SignatureKind[] = [
  ECDSA_SHA256,
  kind("1.2.840.10045.4.3.3", "ec", "sha384"),
  kind("1.2.840.10045.4.3.4", "ec", "sha512"),
  RSA_SHA256,
  kind("1.2.840.113549.1.1.12", "rsa", "sha384", NULL),
  kind("1.2.840.113549.1.1.13", "rsa", "sha512", NULL),
  ED25519,
];

/** The signed structure that certificates and requests share: content, algorithm, signature. */
export function signDer(content: Uint8Array, key: KeyObject): Uint8Array {
  const used = [ECDSA_SHA256, RSA_SHA256, ED25519].find(({ family }) => family === key.asymmetricKeyType);
  if (!used) throw new Error(`a key of type ${key.asymmetricKeyType} cannot sign here`);
  const signature = sign(used.hash, content, key);
  return sequence(content, used.identifier, der(TAG.bitString, Uint8Array.of(0), signature));
}

/** True when `signature` over `content` was made by the owner of `key`, with an algorithm that fits the key. */
export function isSignedBy(
  key: KeyObject,
  signed: { content: Uint8Array; algorithm: Uint8Array; signature: Uint8Array },
): boolean {
  const used = KINDS.find(({ identifier }) => Buffer.compare(identifier, signed.algorithm) === 0);
  if (!used || used.family !== key.asymmetricKeyType) return false;
  return verify(used.hash, signed.content, key, signed.signature);
}
