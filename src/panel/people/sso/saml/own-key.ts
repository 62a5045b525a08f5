import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { contextTag, der, moment, oid, sequence, TAG, unsigned, utf8 } from "../../../../lib/der.ts";
import { days } from "../../../../lib/duration.ts";
import { toPem } from "../../../../lib/pem.ts";
import { signDer } from "../../../../shared/agent-protocol/signatures.ts";

const BITS = 2048;
const GOOD_FOR_MS = days(3650);
const BEFORE_MS = days(1);
const RSA_SHA256 = sequence(oid("1.2.840.113549.1.1.11"), der(0x05));
const VERSION_3 = der(contextTag(0, "constructed"), unsigned(Uint8Array.of(2)));

/** A key of ours, and the certificate that carries it to a provider; both PEM. */
export interface OwnKey {
  private_key: string;
  certificate: string;
}

/**
 * Makes a key of its own for a connector, which takes a good part of a second of this thread. Its certificate is signed by itself:
 * providers compare it and trust nobody for it.
 */
export function makeOwnKey(now: number): OwnKey {
  const made = generateKeyPairSync("rsa", {
    modulusLength: BITS,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const name = sequence(der(TAG.set, sequence(oid("2.5.4.3"), utf8("Orrery single sign-on"))));
  const content = sequence(
    VERSION_3,
    unsigned(randomBytes(16)),
    RSA_SHA256,
    name,
    sequence(moment(now - BEFORE_MS), moment(now + GOOD_FOR_MS)),
    name,
    createPublicKey(made.publicKey).export({ type: "spki", format: "der" }),
  );
  const certificate = toPem("CERTIFICATE", signDer(content, createPrivateKey(made.privateKey)));
  return { private_key: made.privateKey, certificate };
}
