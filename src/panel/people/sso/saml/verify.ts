import { attributeOf, readXml, type XmlElement } from "../../../../lib/xml.ts";
import { NS } from "./names.ts";
import { libraryWays } from "./signature-ways.ts";
import type { SignatureFacts } from "./structure.ts";

/** What is used of the library's reader; its own types would bring those of browsers into all of the program. */
interface Dom {
  DOMParser: new () => { parseFromString(text: string, type: string): DomElement };
}
interface DomElement {
  parentNode: unknown;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<DomElement>;
}

/**
 * A part of a document as it was signed, which is all that may be read of it from then on; null when its signature is not by the key
 * of one of the certificates (PEM), or of another text. The document has been looked at before: its parts have at most one signature
 * each, of exactly the part that it stands in.
 */
export async function verifyPart(
  document: string,
  of: SignatureFacts["of"],
  certificates: readonly string[],
): Promise<XmlElement | null> {
  const { SignedXml } = await import("xml-crypto");
  const { DOMParser }: Dom = require("@xmldom/xmldom");
  // Whoever reads XML has to write line ends in one way; what was signed is the text after that.
  const text = document.replace(/\r\n?/g, "\n");
  const [namespace, name] = of === "response" ? [NS.protocol, "Response"] : [NS.assertion, "Assertion"];
  const part = new DOMParser().parseFromString(text, "text/xml").getElementsByTagNameNS(namespace, name)[0];
  const inside = part ? Array.from(part.getElementsByTagNameNS(NS.signature, "Signature")) : [];
  const signature = inside.find(({ parentNode }) => parentNode === part);
  const [anyCertificate] = certificates;
  if (!part || !signature || anyCertificate === undefined) return null;
  const ways = libraryWays(certificates);
  const signed = new SignedXml({ publicCert: anyCertificate });
  signed.SignatureAlgorithms = ways.signatures;
  signed.HashAlgorithms = ways.hashes;
  // Under other spellings nothing has a name in SAML, and each that it knows costs it a walk through the document.
  signed.idAttributes = ["ID"];
  const found = check(() => {
    signed.loadSignature(signature);
    return signed.checkSignature(text) ? signed.getSignedReferences().map((each) => readXml(each)) : [];
  });
  const [only, ...more] = found;
  const isIt =
    only?.namespace === namespace && only.name === name && attributeOf(only, "ID") === part.getAttribute("ID");
  return only !== undefined && more.length === 0 && isIt ? only : null;
}

/** The library throws where a signature is of another key; what it wrote out may say more at one place than our reader takes. */
function check(run: () => XmlElement[]): XmlElement[] {
  try {
    return run();
  } catch {
    return [];
  }
}
