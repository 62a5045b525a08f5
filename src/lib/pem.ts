/** One PEM block around DER bytes, lines of 64 characters. */
export function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/** The bytes of a text that is exactly one PEM block with this label; null when it is anything else. */
export function fromPem(label: string, text: string): Uint8Array | null {
  const found = /^-----BEGIN ([A-Z ]+)-----\r?\n([A-Za-z0-9+/=\r\n]+)\r?\n-----END ([A-Z ]+)-----$/.exec(text.trim());
  if (!found || found[1] !== label || found[3] !== label) return null;
  const packed = (found[2] ?? "").replace(/[\r\n]/g, "");
  const bytes = Buffer.from(packed, "base64");
  return bytes.toString("base64") === packed ? bytes : null;
}

/** Each certificate of a bundle, as PEM of its own. */
export function splitCertificates(bundle: string): string[] {
  return bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
}
