import { verify, X509Certificate } from "node:crypto";
import { Value } from "@sinclair/typebox/value";
import { type Static, type TSchema, t } from "elysia";
import { parseJson } from "../../lib/json.ts";
import { splitCertificates } from "../../lib/pem.ts";

/** Certificates for anything else, above all the nodes' own, sign no claims. */
const CODE_SIGNING = "1.3.6.1.5.5.7.3.3";
const MAX_CHARACTERS = 16_384;

const Header = t.Object({
  alg: t.Literal("ES256"),
  x5c: t.Array(t.String({ maxLength: 4_096 }), { minItems: 1, maxItems: 5 }),
});

/**
 * The claims in `token` when they have this shape and a key signed them that one of the roots in `caBundlePem` stands behind;
 * else null. Certificates are judged by the time of signing, `issuedAt` of the claims in milliseconds: they may have ended since.
 */
export function openClaims<S extends TSchema>(
  token: string,
  caBundlePem: string,
  shape: S,
  issuedAt: (claims: Static<S>) => number,
): Static<S> | null {
  const parts = token.length > MAX_CHARACTERS ? [] : token.split(".");
  const [head = "", body = "", signature = ""] = parts;
  if (parts.length !== 3) return null;
  const header = read(Header, head);
  const claims = read(shape, body);
  if (!header || !claims) return null;
  const chain = readCertificates(header.x5c);
  const anchors = splitCertificates(caBundlePem).map((pem) => new X509Certificate(pem));
  const [signer] = chain;
  if (!signer || !isSigner(signer) || !isTrusted(chain, anchors, issuedAt(claims))) return null;
  const key = { key: signer.publicKey, dsaEncoding: "ieee-p1363" as const };
  const isSigned = verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"));
  return isSigned ? claims : null;
}

function read<S extends TSchema>(shape: S, encoded: string): Static<S> | null {
  const value: unknown = parseJson(Buffer.from(encoded, "base64url").toString("utf8"));
  return Value.Check(shape, value) ? value : null;
}

/** Empty when one of them is no certificate. */
function readCertificates(x5c: readonly string[]): X509Certificate[] {
  try {
    return x5c.map((text) => new X509Certificate(Buffer.from(text, "base64")));
  } catch {
    return [];
  }
}

function isSigner(certificate: X509Certificate): boolean {
  return (
    !certificate.ca &&
    certificate.keyUsage?.includes(CODE_SIGNING) === true &&
    certificate.publicKey.asymmetricKeyDetails?.namedCurve === "prime256v1"
  );
}

/** Whether a chain, leaf first, leads to one of the anchors, everything on the way valid at `at`. */
function isTrusted(chain: readonly X509Certificate[], anchors: readonly X509Certificate[], at: number): boolean {
  for (const [index, certificate] of chain.entries()) {
    if (!isValid(certificate, at) || (index > 0 && !certificate.ca)) return false;
    if (anchors.some((anchor) => isValid(anchor, at) && isIssuedBy(certificate, anchor))) return true;
    const next = chain[index + 1];
    if (!next || !isIssuedBy(certificate, next)) return false;
  }
  return false;
}

const isValid = (certificate: X509Certificate, at: number): boolean =>
  certificate.validFromDate.getTime() <= at && at < certificate.validToDate.getTime();

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
