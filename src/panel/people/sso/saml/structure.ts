import { allOf, attributeOf, childrenOf, elementsOf, textOf, type XmlElement } from "../../../../lib/xml.ts";
import type { RefusalCause } from "../contract.ts";
import { ENVELOPED, EXCLUSIVE, NS } from "./names.ts";
import { DIGESTS, SIGNATURES } from "./signature-ways.ts";

/** A response that is not believed, whoever signed it; the message is for people. */
export class ResponseRefused extends Error {
  readonly refusal: RefusalCause;
  /** What to do about it. */
  readonly advice: string;

  constructor(refusal: RefusalCause, message: string, advice: string) {
    super(message);
    this.name = "ResponseRefused";
    this.refusal = refusal;
    this.advice = advice;
  }
}

/** A signature as it stands there, of whoever. */
export interface SignatureFacts {
  of: "response" | "assertion";
  /** As people write it: `RSA-SHA256`. */
  algorithm: string;
  /** The certificate that came along, as base64; null for none. */
  certificate: string | null;
}

/** The parts of a response. */
export interface ResponseParts {
  response: XmlElement;
  /** Null where the provider says no, and for one that is encrypted. */
  assertion: XmlElement | null;
  encrypted: XmlElement | null;
  signatures: SignatureFacts[];
}

const MAX_ID = 255;
/** Of all lists of prefixes in a signature: the library looks through them for every attribute. Providers name one or two. */
const MAX_PREFIX_LIST = 500;
/** Of a signature, which has to be written out before it is known whose it is. Those of providers have about twenty. */
const MAX_SIGNATURE_ELEMENTS = 100;

const wrapped = (what: string) =>
  new ResponseRefused(
    "signature",
    `The provider's answer has ${what}, so that what is signed might not be what is read`,
    "No provider sends that by itself: somebody may have changed it on the way. Test again, and look into the log of the provider.",
  );

/** Names of parts have to be of one part each, or a signature might mean another than the one that is read. */
function checkIds(root: XmlElement): void {
  const seen = new Set<string>();
  for (const { attributes } of allOf(root)) {
    for (const { name, value } of attributes.filter((one) => one.name.toLowerCase() === "id")) {
      if (!/^[A-Za-z_][\w.-]*$/.test(value) || value.length > MAX_ID) throw wrapped(`an id ${name} that is none`);
      if (seen.has(value)) throw wrapped("the same id twice");
      seen.add(value);
    }
  }
}

const named = (root: XmlElement, ...names: string[]): XmlElement[] =>
  [...allOf(root)].filter(({ name }) => names.includes(name));

function only(element: XmlElement, name: string): XmlElement {
  const [found, ...more] = childrenOf(element, NS.signature, name);
  if (!found || more.length > 0) throw wrapped(`a signature without exactly one ${name}`);
  return found;
}

function requireBelieved(method: XmlElement, believed: { has(name: string): boolean }): string {
  const told = attributeOf(method, "Algorithm") ?? "nothing";
  if (believed.has(told)) return told;
  const short = told.slice(told.lastIndexOf("#") + 1).slice(0, 60);
  throw new ResponseRefused(
    "signature",
    `The provider signs in a way that is not believed: ${short}`,
    "Set RSA or ECDSA with SHA-256 as its way to sign. SHA-1 and older ones can be forged.",
  );
}

/** What may be done to a part before it is signed: nothing that leaves anything of it out, but for the signature itself. */
function checkTransforms(reference: XmlElement): void {
  const transforms = elementsOf(only(reference, "Transforms"));
  const told = transforms.map((one) => attributeOf(one, "Algorithm"));
  const isUsual = told.length >= 1 && told.length <= 2 && told[0] === ENVELOPED && (told[1] ?? EXCLUSIVE) === EXCLUSIVE;
  if (!isUsual || transforms.some(({ namespace, name }) => namespace !== NS.signature || name !== "Transform"))
    throw wrapped("a signature of a changed text");
}

/** Reads a signature: it has to be of the part that it stands in, of all of it and of nothing else. */
function readSignature(signature: XmlElement, parent: XmlElement, of: SignatureFacts["of"]): SignatureFacts {
  const known = ["SignedInfo", "SignatureValue", "KeyInfo"];
  if (elementsOf(signature).some(({ namespace, name }) => namespace !== NS.signature || !known.includes(name)))
    throw wrapped("something hidden in a signature");
  if ([...allOf(signature)].length > MAX_SIGNATURE_ELEMENTS)
    throw wrapped("a signature with more in it than anybody uses");
  const info = only(signature, "SignedInfo");
  only(signature, "SignatureValue");
  if (attributeOf(only(info, "CanonicalizationMethod"), "Algorithm") !== EXCLUSIVE)
    throw wrapped("a signature of a text that is not written out exclusively");
  const algorithm = requireBelieved(only(info, "SignatureMethod"), SIGNATURES);
  const lists = named(signature, "InclusiveNamespaces").map((one) => attributeOf(one, "PrefixList") ?? "");
  if (lists.join().length > MAX_PREFIX_LIST) throw wrapped("a signature that names more prefixes than anybody uses");
  if (named(signature, "Reference").length !== 1) throw wrapped("a signature of more than one part");
  const reference = only(info, "Reference");
  const id = attributeOf(parent, "ID");
  if (id === null || attributeOf(reference, "URI") !== `#${id}`) throw wrapped("a signature of another part");
  checkTransforms(reference);
  requireBelieved(only(reference, "DigestMethod"), DIGESTS);
  only(reference, "DigestValue");
  const [certificate] = named(signature, "X509Certificate");
  return {
    of,
    algorithm: SIGNATURES.get(algorithm)?.label ?? algorithm,
    certificate: certificate === undefined ? null : textOf(certificate).replace(/\s+/g, ""),
  };
}

/** The signatures of the parts, each of which has at most one. No other place may have any. */
function readSignatures(root: XmlElement, parts: readonly [SignatureFacts["of"], XmlElement][]): SignatureFacts[] {
  const found = parts.flatMap(([of, part]) => {
    const signatures = childrenOf(part, NS.signature, "Signature");
    if (signatures.length > 1) throw wrapped("two signatures of one part");
    return signatures.map((signature) => readSignature(signature, part, of));
  });
  if (named(root, "Signature").length !== found.length) throw wrapped("a signature where none belongs");
  return found;
}

/** Reads an assertion that stands by itself, as one does that was encrypted. Throws ResponseRefused. */
export function readAssertion(root: XmlElement): SignatureFacts[] {
  if (root.namespace !== NS.assertion || root.name !== "Assertion")
    throw wrapped("something else in an assertion's place");
  if (named(root, "Assertion", "EncryptedAssertion", "Response").length > 1) throw wrapped("several assertions");
  checkIds(root);
  return readSignatures(root, [["assertion", root]]);
}

/**
 * Reads the parts of a response: one assertion directly in it, and signatures that are each of exactly the part they stand in.
 * Throws ResponseRefused.
 */
export function readParts(root: XmlElement): ResponseParts {
  if (root.namespace !== NS.protocol || root.name !== "Response")
    throw new ResponseRefused(
      "answer",
      "What came is no answer to a sign-in",
      "Check that the provider sends a SAML 2.0 Response to the address of this connector.",
    );
  checkIds(root);
  const [plain, ...more] = childrenOf(root, NS.assertion, "Assertion");
  const [encrypted, ...others] = childrenOf(root, NS.assertion, "EncryptedAssertion");
  const direct = [plain, encrypted, ...more, ...others].filter((one) => one !== undefined);
  if (direct.length > 1 || named(root, "Assertion", "EncryptedAssertion").length !== direct.length)
    throw wrapped("several assertions, or one in a strange place");
  if (named(root, "Response").length > 1) throw wrapped("a response within a response");
  const assertion = plain ?? null;
  const parts: [SignatureFacts["of"], XmlElement][] = [["response", root]];
  if (assertion) parts.push(["assertion", assertion]);
  return { response: root, assertion, encrypted: encrypted ?? null, signatures: readSignatures(root, parts) };
}
