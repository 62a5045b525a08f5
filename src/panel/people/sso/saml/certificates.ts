import { type KeyObject, X509Certificate } from "node:crypto";
import { toIso } from "../../../../lib/clock.ts";
import { days } from "../../../../lib/duration.ts";
import { toPem } from "../../../../lib/pem.ts";
import { type CertificateState, fail } from "../contract.ts";
import { CURVES } from "./signature-ways.ts";

/** How long before its end a certificate is called old. */
const SOON_MS = days(30);
const MIN_BITS = 2048;
const MAX_BYTES = 8 * 1024;
const OTHER_KEY = `Let the provider sign with a key of RSA with ${MIN_BITS} bits or more, or of the curve P-256, P-384 or P-521.`;

/** A certificate however it was written: PEM, or base64 alone; null for anything else. */
function parse(text: string): X509Certificate | null {
  const packed = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, "").replace(/\s+/g, "");
  const bytes = Buffer.from(packed, "base64");
  if (packed === "" || bytes.length > MAX_BYTES || bytes.toString("base64") !== packed) return null;
  try {
    return new X509Certificate(bytes);
  } catch {
    return null;
  }
}

/** Its key; null for one of a kind that cannot even be read, such as those of rare curves. */
function publicKeyOf(certificate: X509Certificate): KeyObject | null {
  try {
    return certificate.publicKey;
  } catch {
    return null;
  }
}

/** The certificate as PEM, written in one way. Throws `certificate_unusable`. */
export function readCertificate(text: string): string {
  const refuse = (reason: string) => fail("certificate_unusable", { field: "certificates", reason });
  const found = parse(text);
  if (!found) throw refuse("it is none, as PEM or as base64.");
  const { asymmetricKeyType, asymmetricKeyDetails } = publicKeyOf(found) ?? {};
  if (asymmetricKeyType === undefined)
    throw refuse(`its key is of a kind or curve that is not known here. ${OTHER_KEY}`);
  if (asymmetricKeyType === "ec") {
    const curve = asymmetricKeyDetails?.namedCurve ?? "an unknown one";
    if (!CURVES.has(curve)) throw refuse(`its key is of the curve ${curve}. ${OTHER_KEY}`);
  } else if (asymmetricKeyType !== "rsa") {
    throw refuse(`its key is of the kind ${asymmetricKeyType}. ${OTHER_KEY}`);
  } else if ((asymmetricKeyDetails?.modulusLength ?? 0) < MIN_BITS)
    throw refuse(`its key has less than ${MIN_BITS} bits. ${OTHER_KEY}`);
  return toPem("CERTIFICATE", found.raw);
}

/** Its SHA-256, as people compare it; null in the place of what is none. */
export function fingerprintOf(text: string): string {
  return parse(text)?.fingerprint256 ?? "unreadable";
}

/** One in words. */
export function describeCertificate(text: string): string {
  const found = parse(text);
  if (!found) return "an unreadable one";
  return `SHA-256 ${found.fingerprint256}, good until ${toIso(Date.parse(found.validTo)).slice(0, 10)}`;
}

/** A certificate as the API shows it. */
export function presentCertificate(pem: string, now: number) {
  const found = new X509Certificate(pem);
  const ends = Date.parse(found.validTo);
  const state: CertificateState = ends <= now ? "expired" : ends - now < SOON_MS ? "ending" : "ok";
  const name = /(?:^|\n)CN=([^\n]*)/.exec(found.subject)?.[1] ?? found.subject.replace(/\n/g, ", ");
  return { pem, subject: name.slice(0, 200), fingerprint: found.fingerprint256, expires_at: toIso(ends), state };
}
