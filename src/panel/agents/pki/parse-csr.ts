import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { contextTag, readDer, readParts, TAG } from "../../../lib/der.ts";
import { fromPem } from "../../../lib/pem.ts";
import { agentFail } from "../../../shared/agent-protocol/index.ts";
import { isSignedBy } from "../../../shared/agent-protocol/signatures.ts";

/** Longest certificate request that is looked at: an RSA key of 4096 bits needs less than 2 kB. */
const MAX_CSR_CHARS = 8_192;

/** All that a request may say about itself. */
export interface RequestedKey {
  /** The public key (SPKI) as the certificate will carry it. */
  publicKey: Uint8Array;
  /** SHA-256 of it as hex: two nodes with the same one are copies of each other. */
  fingerprint: string;
}

/**
 * Checks a certificate request (PEM) and takes its public key. Subject, names and extensions are not even read: who the
 * caller is comes from its token or its present certificate. Throws `invalid_csr`.
 */
export function parseCsr(pem: string): RequestedKey {
  if (pem.length > MAX_CSR_CHARS) throw invalid(`is longer than ${MAX_CSR_CHARS} characters`);
  const bytes = fromPem("CERTIFICATE REQUEST", pem);
  if (!bytes) throw invalid("is not exactly one PEM block of the type CERTIFICATE REQUEST");
  const { content, spki, algorithm, signature } = readRequest(bytes);
  const key = readKey(spki);
  if (!isSigned(key, { content, algorithm, signature })) throw invalid("is not signed by the key that it carries");
  return { publicKey: spki, fingerprint: createHash("sha256").update(spki).digest("hex") };
}

const invalid = (reason: string) => agentFail("invalid_csr", { reason });

interface RequestParts {
  content: Uint8Array;
  spki: Uint8Array;
  algorithm: Uint8Array;
  signature: Uint8Array;
}

function readRequest(bytes: Uint8Array): RequestParts {
  try {
    const [content, algorithm, signature, ...more] = readParts(readDer(bytes), TAG.sequence);
    if (!content || !algorithm || !signature || more.length > 0) throw new Error("parts are missing");
    const [version, subject, spki, attributes, ...others] = readParts(content, TAG.sequence);
    if (!version || !subject || !spki || others.length > 0) throw new Error("parts are missing");
    if (version.tag !== TAG.integer || Buffer.compare(version.content, Uint8Array.of(0)) !== 0) {
      throw new Error("the version is unknown");
    }
    readParts(subject, TAG.sequence);
    readParts(spki, TAG.sequence);
    if (attributes) readParts(attributes, contextTag(0, "constructed"));
    readParts(algorithm, TAG.sequence);
    if (signature.tag !== TAG.bitString || signature.content[0] !== 0)
      throw new Error("the signature is not whole bytes");
    return {
      content: content.whole,
      spki: spki.whole,
      algorithm: algorithm.whole,
      signature: signature.content.subarray(1),
    };
  } catch {
    throw invalid("is not a PKCS #10 request in DER");
  }
}

/** The key behind an SPKI. Throws `invalid_csr` for one that is broken, of a kind we do not take, or oddly encoded. */
function readKey(spki: Uint8Array): KeyObject {
  const key = readPublicKey(spki);
  if (!key || !isAllowed(key)) {
    throw invalid("must carry a P-256, P-384, Ed25519 or RSA key (2048 to 4096 bits, exponent 65537)");
  }
  // One key has one encoding here, or its fingerprint would not find its copies.
  if (Buffer.compare(key.export({ type: "spki", format: "der" }), spki) !== 0) {
    throw invalid("carries its key in an unusual encoding");
  }
  return key;
}

function readPublicKey(spki: Uint8Array): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
  } catch {
    return null;
  }
}

function isAllowed(key: KeyObject): boolean {
  const { namedCurve, modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "ed25519") return true;
  if (key.asymmetricKeyType === "ec") return namedCurve === "prime256v1" || namedCurve === "secp384r1";
  if (key.asymmetricKeyType !== "rsa") return false;
  return modulusLength >= 2048 && modulusLength <= 4096 && publicExponent === 65537n;
}

function isSigned(key: KeyObject, parts: Omit<RequestParts, "spki">): boolean {
  try {
    return isSignedBy(key, parts);
  } catch {
    return false;
  }
}
