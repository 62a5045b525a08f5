import type { X509Certificate } from "node:crypto";

/** Signatures do not change: each pair is verified once. */
const verified = new Map<string, boolean>();

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const pair = certificate.fingerprint256 + issuer.fingerprint256;
  const known = verified.get(pair) ?? (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  verified.set(pair, known);
  return known;
}

/**
 * True when a chain (leaf first) leads to one of the anchors at `now`, as a TLS library checks it: signatures, names,
 * validity of everything on the way, the anchor included. The chain may go on beyond the anchor.
 */
export function isTrustedChain(
  chain: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  now: number,
): boolean {
  const isValid = (certificate: X509Certificate) =>
    certificate.validFromDate.getTime() <= now && now < certificate.validToDate.getTime();
  for (const [index, certificate] of chain.entries()) {
    if (!isValid(certificate) || (index > 0 && !certificate.ca)) return false;
    if (anchors.some((anchor) => isValid(anchor) && isIssuedBy(certificate, anchor))) return true;
    const next = chain[index + 1];
    if (!next || !isIssuedBy(certificate, next)) return false;
  }
  return false;
}
