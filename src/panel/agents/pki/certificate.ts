import { createHash, type KeyObject, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { bitString, contextTag, der, moment, oid, sequence, TAG, unsigned, utf8, yes } from "../../../lib/der.ts";
import { toPem } from "../../../lib/pem.ts";
import { normalizeSerial } from "../../../shared/agent-protocol/serials.ts";
import { signDer } from "../../../shared/agent-protocol/signatures.ts";

const OID = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  altNames: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyId: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  codeSigning: "1.3.6.1.5.5.7.3.3",
} as const;

const SERIAL_BYTES = 16;
const VERSION_3 = der(contextTag(0, "constructed"), unsigned(Uint8Array.of(2)));
const ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));

/** What a certificate is for. */
export type CertificateUse =
  | { kind: "authority" /** How many authorities may follow it; null for any number. */; depth: number | null }
  | { kind: "client"; uri: string }
  | { kind: "server"; names: readonly string[] }
  /** Signs licenses; no node has a certificate for that. */
  | { kind: "signer" };

export interface CertificateSpec {
  commonName: string;
  publicKey: Uint8Array;
  notBefore: number;
  notAfter: number;
  use: CertificateUse;
}

/** Who signs: name and key as its own certificate carries them. */
export interface Signer {
  commonName: string;
  publicKey: Uint8Array;
  key: KeyObject;
}

export interface MadeCertificate {
  pem: string;
  /** Upper-case hex without leading zeros, as TLS reports it. */
  serial: string;
}

/** Signs a certificate with a P-256 key; its serial is 128 random bits. Times in milliseconds. */
export function makeCertificate(spec: CertificateSpec, signer: Signer): MadeCertificate {
  const serial = randomBytes(SERIAL_BYTES);
  const content = sequence(
    VERSION_3,
    unsigned(serial),
    ECDSA_SHA256,
    nameOf(signer.commonName),
    sequence(moment(spec.notBefore), moment(spec.notAfter)),
    nameOf(spec.commonName),
    spec.publicKey,
    der(contextTag(3, "constructed"), sequence(...extensionsOf(spec, signer))),
  );
  return { pem: toPem("CERTIFICATE", signDer(content, signer.key)), serial: normalizeSerial(serial.toString("hex")) };
}

function nameOf(commonName: string): Uint8Array {
  const part = (id: string, text: string) => der(TAG.set, sequence(oid(id), utf8(text)));
  return sequence(part(OID.organization, "Orrery"), part(OID.commonName, commonName));
}

const extension = (id: string, isCritical: boolean, value: Uint8Array): Uint8Array =>
  sequence(oid(id), ...(isCritical ? [yes()] : []), der(TAG.octetString, value));

function keyId(publicKey: Uint8Array): Uint8Array {
  return createHash("sha256").update(publicKey).digest().subarray(0, 20);
}

function extensionsOf({ use, publicKey }: CertificateSpec, signer: Signer): Uint8Array[] {
  const issuerId = sequence(der(contextTag(0, "primitive"), keyId(signer.publicKey)));
  const shared = [
    extension(OID.subjectKeyId, false, der(TAG.octetString, keyId(publicKey))),
    extension(OID.authorityKeyId, false, issuerId),
  ];
  if (use.kind === "authority") {
    const depth = use.depth === null ? [] : [unsigned(Uint8Array.of(use.depth))];
    // Certificates and revocation lists may be signed, nothing else.
    const usage = bitString(Uint8Array.of(0b0000_0110), 1);
    return [
      extension(OID.basicConstraints, true, sequence(yes(), ...depth)),
      extension(OID.keyUsage, true, usage),
      ...shared,
    ];
  }
  const { purpose, names } = purposeOf(use);
  return [
    extension(OID.basicConstraints, true, sequence()),
    extension(OID.keyUsage, true, bitString(Uint8Array.of(0b1000_0000), 7)),
    extension(OID.extendedKeyUsage, false, sequence(oid(purpose))),
    ...(names.length > 0 ? [extension(OID.altNames, false, sequence(...names))] : []),
    ...shared,
  ];
}

/** What a leaf may be used for, and whom it names beside its common name. */
function purposeOf(use: Exclude<CertificateUse, { kind: "authority" }>): { purpose: string; names: Uint8Array[] } {
  if (use.kind === "signer") return { purpose: OID.codeSigning, names: [] };
  return use.kind === "client"
    ? { purpose: OID.clientAuth, names: [uriName(use.uri)] }
    : { purpose: OID.serverAuth, names: use.names.map(hostName) };
}

const uriName = (uri: string): Uint8Array => der(contextTag(6, "primitive"), Buffer.from(uri, "ascii"));

function hostName(name: string): Uint8Array {
  const version = isIP(name);
  if (version === 0) return der(contextTag(2, "primitive"), Buffer.from(name, "ascii"));
  return der(contextTag(7, "primitive"), version === 4 ? Uint8Array.from(name.split("."), Number) : ipv6Bytes(name));
}

function ipv6Bytes(address: string): Uint8Array {
  // The URL parser brings every spelling into one with plain hexadecimal groups.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = plain.split("::");
  const groups = (text: string | undefined) => (text ? text.split(":").map((part) => Number.parseInt(part, 16)) : []);
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
