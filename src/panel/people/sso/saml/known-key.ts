import { NS } from "./names.ts";
import { libraryWays } from "./signature-ways.ts";
import type { SignatureFacts } from "./structure.ts";

/** What is used of the library's reader; its own types would bring those of browsers into all of the program. */
interface Dom {
  DOMParser: new () => { parseFromString(text: string, type: string): DomDocument };
}
interface DomDocument {
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<{ parentNode: { localName: string } | null }>;
}

/** How the library writes out what a signature is of, which its types keep to itself: it looks at all of the document before. */
interface Library {
  SignedXml: new (options: { publicCert: string }) => Writer;
}
interface Writer {
  loadSignature(signature: unknown): void;
  getCanonSignedInfoXml(document: unknown): string;
  signatureAlgorithm?: string;
  signatureValue: string;
}

/** The tags of a response and its assertion, and their signatures as a whole. */
const ATTRIBUTES = String.raw`(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?`;
const KEPT = new RegExp(
  String.raw`<((?:[\w.-]+:)?Signature)${ATTRIBUTES}>[^]*?</\1\s*>` +
    String.raw`|<(?:[\w.-]+:)?(?:Response|Assertion)${ATTRIBUTES}>|</(?:[\w.-]+:)?(?:Response|Assertion)\s*>`,
  "g",
);

/**
 * False when the signature of a part is by none of the certificates (PEM), whatever it is a signature of: that costs a hundredth of
 * writing out the part, which is for providers alone. Nothing is believed by it, as the signature is checked with all else afterwards.
 *
 * The document has been looked at before: each `<` begins a tag, each part and each signature is there once and none is in another. So all
 * else can be left out by its letters, and what is left declares the same prefixes around the signature.
 */
export function isByKnownKey(document: string, of: SignatureFacts["of"], certificates: readonly string[]): boolean {
  const { SignedXml }: Library = require("xml-crypto");
  const { DOMParser }: Dom = require("@xmldom/xmldom");
  const frame = [...document.replace(/\r\n?/g, "\n").matchAll(KEPT)].map(([kept]) => kept).join("");
  const parsed = new DOMParser().parseFromString(frame, "text/xml");
  const parent = of === "response" ? "Response" : "Assertion";
  const signature = Array.from(parsed.getElementsByTagNameNS(NS.signature, "Signature")).find(
    ({ parentNode }) => parentNode?.localName === parent,
  );
  const [anyCertificate] = certificates;
  if (signature === undefined || anyCertificate === undefined) return false;
  const writer = new SignedXml({ publicCert: anyCertificate });
  try {
    writer.loadSignature(signature);
    const signed = writer.getCanonSignedInfoXml(parsed);
    const Way = libraryWays(certificates).signatures[writer.signatureAlgorithm ?? ""];
    return Way !== undefined && new Way().verifySignature(signed, anyCertificate, writer.signatureValue);
  } catch {
    return false;
  }
}
