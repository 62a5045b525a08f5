import { readXml, type XmlElement, XmlRefused } from "../../../../lib/xml.ts";
import { parseUtf8 } from "./decode.ts";
import { decryptAssertion } from "./decrypt.ts";
import { type Facts, readAssertionFacts, readResponseFacts, readStatus } from "./facts.ts";
import { isByKnownKey } from "./known-key.ts";
import { SUCCESS } from "./names.ts";
import { ResponseRefused, readAssertion, readParts, type SignatureFacts } from "./structure.ts";
import { verifyPart } from "./verify.ts";

/** What a connector believes, and what it can open. */
export interface Trust {
  /** Certificates of the provider, PEM: a signature by the key of one of them is believed. */
  certificates: readonly string[];
  /** Our own key, PEM, for answers that are encrypted; null for none. */
  private_key: string | null;
}

/** What came of an answer. */
export interface Received {
  /** Null when it could not even be read. What it says is believed only while `refused` is null. */
  facts: Facts | null;
  refused: ResponseRefused | null;
  /** The provider itself said that nobody is signed in. */
  hasSaidNo: boolean;
}

/** Providers declare about ten. The library looks through all that hold for every attribute, before it knows whose the signature is. */
const MOST_PREFIXES = 50;

function read(text: string, what: string): XmlElement {
  try {
    return readXml(text, { mostInScope: MOST_PREFIXES });
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    throw new ResponseRefused(
      "answer",
      `${what} ${error.message.replace(/\.$/, "")}`,
      "No provider sends that by itself. Test again, and look into the log of the provider.",
    );
  }
}

interface Opened {
  text: string;
  root: XmlElement;
  signatures: SignatureFacts[];
}

function open(encrypted: XmlElement, { private_key }: Trust, isSigned: boolean): Opened {
  if (private_key === null)
    throw new ResponseRefused(
      "answer",
      "The provider's answer is encrypted, and this connector has no key to open it",
      "Turn on encrypted answers here and give the provider the certificate, or turn encryption off there.",
    );
  const text = decryptAssertion(encrypted, private_key, isSigned);
  const root = read(text, "What the provider encrypted");
  return { text, root, signatures: readAssertion(root) };
}

/** Why a signature does not hold, as far as it tells. */
function unsigned(signatures: readonly SignatureFacts[]): ResponseRefused {
  if (signatures.length === 0)
    return new ResponseRefused(
      "signature",
      "The provider's answer is not signed",
      "Anybody could have made it, so nobody is let in. Let the provider sign the assertion or the response with RSA-SHA256 or ECDSA-SHA256.",
    );
  return new ResponseRefused(
    "signature",
    "The signature of the provider's answer does not hold",
    "It was made by another key than that of a certificate that is set here, or what it signs was changed. Compare the certificate here with the one at the provider.",
  );
}

/** The assertion as it was signed, which is all that is read of it from then on; null when a signature that is there does not hold. */
async function believe(
  text: string,
  opened: Opened | null,
  trust: Trust,
  signatures: readonly SignatureFacts[],
): Promise<XmlElement | null> {
  const isSigned = (of: SignatureFacts["of"]): boolean => signatures.some((one) => one.of === of);
  const inside = opened?.text ?? text;
  for (const { of } of signatures)
    if (!isByKnownKey(of === "response" ? text : inside, of, trust.certificates)) return null;
  // A signature that is there has to hold, whether or not another one would do.
  const response = isSigned("response") ? await verifyPart(text, "response", trust.certificates) : null;
  if (isSigned("response") && response === null) return null;
  if (isSigned("assertion")) return verifyPart(inside, "assertion", trust.certificates);
  if (response === null) return null;
  const { assertion, encrypted } = readParts(response);
  return encrypted === null ? assertion : open(encrypted, trust, true).root;
}

/** Takes an answer apart, strictly, and believes it only when it is signed by a certificate of the connector. */
export async function receive(encoded: string, trust: Trust): Promise<Received> {
  let facts: Facts | null = null;
  try {
    const text = parseUtf8(encoded);
    const parts = readParts(read(text, "The provider's answer"));
    const said = readStatus(parts.response, SUCCESS);
    const told = readResponseFacts(parts.response);
    facts = { ...told, signatures: parts.signatures, is_encrypted: parts.encrypted !== null, assertion: null };
    if (said !== null) return { facts, refused: saidNo(said), hasSaidNo: true };
    const opened = parts.encrypted && open(parts.encrypted, trust, parts.signatures.length > 0);
    const assertion = parts.assertion ?? opened?.root ?? null;
    if (assertion === null)
      throw new ResponseRefused("answer", "The provider's answer says nothing of anybody", ADVICE);
    const signatures = [...parts.signatures, ...(opened?.signatures ?? [])];
    facts = { ...facts, signatures, assertion: readAssertionFacts(assertion) };
    const signed = await believe(text, opened, trust, signatures);
    if (signed === null) throw unsigned(signatures);
    return { facts: { ...facts, assertion: readAssertionFacts(signed) }, refused: null, hasSaidNo: false };
  } catch (error) {
    if (error instanceof ResponseRefused) return { facts, refused: error, hasSaidNo: false };
    throw error;
  }
}

const ADVICE = "Let the provider send an assertion about whoever signed in.";

const saidNo = (said: string) =>
  new ResponseRefused(
    "provider",
    `The provider said ${said}`,
    "Check at the provider whether this person may use this program, and the addresses that it has of it.",
  );
