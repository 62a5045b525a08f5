import type { X509Certificate } from "node:crypto";

/** The serial of a certificate in the one form that is compared and stored. */
export const serialOf = (certificate: X509Certificate): string => normalizeSerial(certificate.serialNumber);

/** A serial in hex, as libraries write it, in that form. */
export const normalizeSerial = (hex: string): string => hex.toUpperCase().replace(/^0+(?=.)/, "");

/**
 * The certificates of one node by serial. The one in use stays valid until the next one is seen in use: an answer to
 * `renew` that is lost on its way strands nobody.
 */
export interface Serials {
  current: string;
  next: string | null;
}

/** What the use of a certificate means: `null` refuses it; otherwise the serials from now on, changed on a first use. */
export function useSerial(serials: Serials, used: string): Serials | null {
  if (used === serials.current) return serials;
  return used === serials.next ? { current: used, next: null } : null;
}
