import { createPublicKey, type KeyObject } from "node:crypto";
import { contextTag, der, oid, sequence, TAG, unsigned, utf8 } from "../../lib/der.ts";
import { toPem } from "../../lib/pem.ts";
import { signDer } from "./signatures.ts";

const COMMON_NAME = "2.5.4.3";

/** A certificate request (PKCS #10, PEM) for the public half of `key`. The panel takes nothing but that key from it. */
export function makeCsr(key: KeyObject, commonName: string): string {
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const subject = sequence(der(TAG.set, sequence(oid(COMMON_NAME), utf8(commonName))));
  const content = sequence(unsigned(Uint8Array.of(0)), subject, publicKey, der(contextTag(0, "constructed")));
  return toPem("CERTIFICATE REQUEST", signDer(content, key));
}
