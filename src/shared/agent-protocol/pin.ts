import { createHash, timingSafeEqual, type X509Certificate } from "node:crypto";

const PIN_PATTERN = /^sha256:[0-9a-f]{64}$/;

/** The pin of a certificate: SHA-256 of its public key (SPKI), so that it outlives a certificate made anew for that key. */
export function pinOf(certificate: X509Certificate): string {
  const publicKey = certificate.publicKey.export({ type: "spki", format: "der" });
  return `sha256:${createHash("sha256").update(publicKey).digest("hex")}`;
}

/**
 * The root (PEM) of a chain that the other side presented, leaf first, when the chain is whole and its root carries the
 * pin; else null. The first call of a node trusts nobody yet: it reads the chain of a bare handshake, asks this, and
 * only then connects for real, with the root as its one authority. Times are left to that second handshake.
 */
export function findPinnedRoot(chain: readonly X509Certificate[], pin: string): string | null {
  if (!PIN_PATTERN.test(pin)) return null;
  const root = chain.findIndex((certificate) => timingSafeEqual(Buffer.from(pinOf(certificate)), Buffer.from(pin)));
  const found = chain[root];
  if (!found?.ca || !found.verify(found.publicKey)) return null;
  const links = chain.slice(0, root);
  const isWhole = links.every((certificate, index) => {
    const issuer = chain[index + 1];
    return issuer?.ca === true && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  });
  return isWhole ? found.toString() : null;
}
