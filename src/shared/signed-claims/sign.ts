import { type KeyObject, sign } from "node:crypto";
import { splitCertificates } from "../../lib/pem.ts";

/** A P-256 key, and its certificate with those that lead to a root, PEM. */
export interface ClaimsSigner {
  key: KeyObject;
  chain: string;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Claims as a JWS (ES256); the certificates travel with it. */
export function signClaims(claims: object, { key, chain }: ClaimsSigner): string {
  const x5c = splitCertificates(chain).map((pem) => pem.replace(/-----[^-]+-----|\s/g, ""));
  const content = `${encode({ alg: "ES256", typ: "JWT", x5c })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}
