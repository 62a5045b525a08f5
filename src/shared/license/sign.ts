import { type KeyObject, sign } from "node:crypto";
import { splitCertificates } from "../../lib/pem.ts";
import type { LicenseClaims } from "./claims.ts";

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * A license as a JWS (ES256). `key` is a P-256 key, `chain` (PEM) its certificate and those that lead to a root; they travel
 * with it.
 */
export function signLicense(claims: LicenseClaims, { key, chain }: { key: KeyObject; chain: string }): string {
  const x5c = splitCertificates(chain).map((pem) => pem.replace(/-----[^-]+-----|\s/g, ""));
  const content = `${encode({ alg: "ES256", typ: "JWT", x5c })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}
