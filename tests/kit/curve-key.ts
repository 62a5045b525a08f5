import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { contextTag, der, moment, oid, sequence, TAG, unsigned, utf8 } from "../../src/lib/der.ts";
import { days } from "../../src/lib/duration.ts";
import { toPem } from "../../src/lib/pem.ts";
import type { OwnKey } from "../../src/panel/people/sso/saml/own-key.ts";
import { signDer } from "../../src/shared/agent-protocol/signatures.ts";

/** A key of an elliptic curve (`P-256`, …) and a certificate for it that it signed itself, good for ten years. */
export function makeCurveKey(now: number, namedCurve: string): OwnKey {
  const made = generateKeyPairSync("ec", {
    namedCurve,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const name = sequence(der(TAG.set, sequence(oid("2.5.4.3"), utf8(`Provider on ${namedCurve}`))));
  const content = sequence(
    der(contextTag(0, "constructed"), unsigned(Uint8Array.of(2))),
    unsigned(randomBytes(16)),
    sequence(oid("1.2.840.10045.4.3.2")),
    name,
    sequence(moment(now - days(1)), moment(now + days(3650))),
    name,
    createPublicKey(made.publicKey).export({ type: "spki", format: "der" }),
  );
  const certificate = toPem("CERTIFICATE", signDer(content, createPrivateKey(made.privateKey)));
  return { private_key: made.privateKey, certificate };
}
