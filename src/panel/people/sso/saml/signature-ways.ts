import { constants, createHash, createPublicKey, verify } from "node:crypto";
import type { HashAlgorithm, SignatureAlgorithm } from "xml-crypto";

const MORE = "http://www.w3.org/2001/04/xmldsig-more#";
const XENC = "http://www.w3.org/2001/04/xmlenc#";

type Hash = "sha256" | "sha384" | "sha512";

/** One way to sign. */
interface Way {
  /** As people write it: `RSA-SHA256`. */
  label: string;
  key: "rsa" | "ec";
  hash: Hash;
  isPss: boolean;
}

const rsa = (hash: Hash): Way => ({ label: `RSA-${hash.toUpperCase()}`, key: "rsa", hash, isPss: false });
const ecdsa = (hash: Hash): Way => ({ label: `ECDSA-${hash.toUpperCase()}`, key: "ec", hash, isPss: false });

/** Ways to sign that are believed, by the names that XML gives them. */
export const SIGNATURES: ReadonlyMap<string, Way> = new Map([
  [`${MORE}rsa-sha256`, rsa("sha256")],
  [`${MORE}rsa-sha384`, rsa("sha384")],
  [`${MORE}rsa-sha512`, rsa("sha512")],
  [
    "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
    { label: "RSA-PSS-SHA256", key: "rsa", hash: "sha256", isPss: true },
  ],
  [`${MORE}ecdsa-sha256`, ecdsa("sha256")],
  [`${MORE}ecdsa-sha384`, ecdsa("sha384")],
  [`${MORE}ecdsa-sha512`, ecdsa("sha512")],
]);

/** Sums of what is signed that are believed, by the names that XML gives them. */
export const DIGESTS: ReadonlyMap<string, Hash> = new Map([
  [`${XENC}sha256`, "sha256"],
  [`${MORE}sha384`, "sha384"],
  [`${XENC}sha512`, "sha512"],
]);

/** Curves whose keys are believed, with the bytes of each of the two numbers of a signature. */
export const CURVES: ReadonlyMap<string, number> = new Map([
  ["prime256v1", 32],
  ["secp384r1", 48],
  ["secp521r1", 66],
]);

/**
 * True when the owner of a certificate (PEM) signed `text` in this way. The key has to be of the kind that the way names, or whoever
 * writes an answer could choose how it is read. A signature by a curve is the two numbers side by side, each as long as the curve's own
 * (XMLDSIG 1.1, 6.4.3), in no other form.
 */
export function holds({ key, hash, isPss }: Way, text: string, certificate: string, signature: string): boolean {
  const packed = signature.replace(/\s+/g, "");
  const bytes = Buffer.from(packed, "base64");
  const publicKey = createPublicKey(certificate);
  if (bytes.toString("base64") !== packed || publicKey.asymmetricKeyType !== key) return false;
  if (key === "ec") {
    const size = CURVES.get(publicKey.asymmetricKeyDetails?.namedCurve ?? "");
    if (size === undefined || bytes.length !== 2 * size) return false;
    return verify(hash, Buffer.from(text), { key: publicKey, dsaEncoding: "ieee-p1363" }, bytes);
  }
  const padding = isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : { padding: constants.RSA_PKCS1_PADDING };
  return verify(hash, Buffer.from(text), { key: publicKey, ...padding }, bytes);
}

const signatureAlgorithm = (name: string, way: Way, certificates: readonly string[]): (new () => SignatureAlgorithm) =>
  class {
    getAlgorithmName(): string {
      return name;
    }
    getSignature(): string {
      throw new Error("nothing is signed here");
    }
    verifySignature(text: string, _key: unknown, signature: string): boolean {
      return certificates.some((certificate) => holds(way, text, certificate, signature));
    }
  };

const hashAlgorithm = (name: string, hash: Hash): (new () => HashAlgorithm) =>
  class {
    getAlgorithmName(): string {
      return name;
    }
    getHash(text: string): string {
      return createHash(hash).update(text, "utf8").digest("base64");
    }
  };

/**
 * What the library is given in the place of its own: these ways and no other, each by the key of any of the certificates (PEM). It writes
 * out what is signed before it asks whose the signature is, so it is asked about all of them at once.
 */
export const libraryWays = (certificates: readonly string[]) => ({
  signatures: Object.fromEntries(
    [...SIGNATURES].map(([name, way]) => [name, signatureAlgorithm(name, way, certificates)]),
  ),
  hashes: Object.fromEntries([...DIGESTS].map(([name, hash]) => [name, hashAlgorithm(name, hash)])),
});
