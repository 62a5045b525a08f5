import { readXml, type XmlElement, XmlRefused, XmlTooLarge } from "../../../../lib/xml.ts";
import { parseUtf8, SEND_LESS } from "./decode.ts";
import { cipherOf, decryptAssertion } from "./decrypt.ts";
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
  /** Whether any of it was written out to be checked, which takes most of the time: that is for who signs by a key that is believed. */
  isWrittenOut: boolean;
}

/** Providers declare about ten. The library looks through all that hold for every attribute, before it knows whose the signature is. */
const MOST_PREFIXES = 50;
/** Each takes its time to write out. A directory lets people be in about a thousand groups, and providers send at most some hundred of them. */
const MOST_ELEMENTS = 1_500;
/**
 * The library looks at each of them several times: they take most of what an answer takes. A value has three at most (what it is, and two
 * declarations for saying so), a response about ten.
 */
const MOST_ATTRIBUTES = { each: 24, all: 5_000 };
/** Where each attribute is of another namespace, each says its own once it is written out. Those of SAML have some sixty letters. */
const LONGEST_NAME = 200;

const ODD = "No provider sends that by itself. Test again, and look into the log of the provider.";

function read(text: string, what: string): XmlElement {
  try {
    return readXml(text, {
      mostInScope: MOST_PREFIXES,
      mostElements: MOST_ELEMENTS,
      mostAttributes: MOST_ATTRIBUTES,
      longestName: LONGEST_NAME,
    });
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    const advice = error instanceof XmlTooLarge ? SEND_LESS : ODD;
    throw new ResponseRefused("answer", `${what} ${error.message.replace(/\.$/, "")}`, advice);
  }
}

interface Opened {
  text: string;
  root: XmlElement;
  signatures: SignatureFacts[];
}

/**
 * Opens what is encrypted. A cipher that does not prove its text is taken only within a response that is believed, or answers to it would
 * tell forgers what is in it. Throws ResponseRefused.
 */
function open(encrypted: XmlElement, { private_key }: Trust, isBelieved: boolean, around: SignatureFacts[]): Opened {
  if (private_key === null)
    throw new ResponseRefused(
      "answer",
      "The provider's answer is encrypted, and this connector has no key to open it",
      "Turn on encrypted answers here and give the provider the certificate, or turn encryption off there.",
    );
  const cipher = cipherOf(encrypted);
  if (!cipher.proves && !isBelieved) throw around.length > 0 ? unsigned(around) : provesNothing();
  const text = decryptAssertion(encrypted, cipher, private_key);
  const root = read(text, "What the provider encrypted");
  return { text, root, signatures: readAssertion(root) };
}

const provesNothing = () =>
  new ResponseRefused(
    "answer",
    "The provider encrypts in a way that proves nothing",
    "Let it encrypt with AES-256-GCM, or sign the response as a whole.",
  );

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

const isSigned = (signatures: readonly SignatureFacts[], of: SignatureFacts["of"]): boolean =>
  signatures.some((one) => one.of === of);

/** A part of a text as it was signed; null where that does not hold. */
type Verify = (text: string, of: SignatureFacts["of"]) => Promise<XmlElement | null>;

/** The response as it was signed; null where it is not signed as a whole, or any signature in it is by another key than the provider's. */
async function believeResponse(
  text: string,
  signatures: readonly SignatureFacts[],
  { certificates }: Trust,
  verify: Verify,
): Promise<XmlElement | null> {
  if (!isSigned(signatures, "response")) return null;
  if (!signatures.every(({ of }) => isByKnownKey(text, of, certificates))) return null;
  return verify(text, "response");
}

/** The assertion as it was signed, which is all that is read of it from then on; null when a signature that is there does not hold. */
async function believe(
  text: string,
  response: XmlElement | null,
  assertion: XmlElement,
  signatures: readonly SignatureFacts[],
  { certificates }: Trust,
  verify: Verify,
): Promise<XmlElement | null> {
  // A signature that is there has to hold, whether or not another one would do.
  if (isSigned(signatures, "response") && response === null) return null;
  if (!isSigned(signatures, "assertion")) return response && assertion;
  return isByKnownKey(text, "assertion", certificates) ? verify(text, "assertion") : null;
}

/** Takes an answer apart, strictly, and believes it only when it is signed by a certificate of the connector. */
export async function receive(encoded: string, trust: Trust): Promise<Received> {
  let facts: Facts | null = null;
  let isWrittenOut = false;
  const verify: Verify = (text, of) => {
    isWrittenOut = true;
    return verifyPart(text, of, trust.certificates);
  };
  try {
    const text = parseUtf8(encoded);
    const told = readParts(read(text, "The provider's answer"));
    const said = readStatus(told.response, SUCCESS);
    const { signatures: around } = told;
    facts = {
      ...{ ...readResponseFacts(told.response), signatures: around },
      ...{ is_encrypted: told.encrypted !== null, assertion: null },
    };
    if (said !== null) return { facts, refused: saidNo(said), hasSaidNo: true, isWrittenOut };
    const response = await believeResponse(text, around, trust, verify);
    // Of what was signed nothing else is read, and nothing else is opened.
    const parts = response === null ? told : readParts(response);
    const opened = parts.encrypted && open(parts.encrypted, trust, response !== null, around);
    const assertion = parts.assertion ?? opened?.root ?? null;
    if (assertion === null)
      throw new ResponseRefused("answer", "The provider's answer says nothing of anybody", ADVICE);
    const signatures = [...around, ...(opened?.signatures ?? [])];
    facts = { ...facts, signatures, assertion: readAssertionFacts(assertion) };
    const signed = await believe(opened?.text ?? text, response, assertion, signatures, trust, verify);
    if (signed === null) throw unsigned(signatures);
    facts = { ...facts, assertion: readAssertionFacts(signed) };
    return { facts, refused: null, hasSaidNo: false, isWrittenOut };
  } catch (error) {
    if (error instanceof ResponseRefused) return { facts, refused: error, hasSaidNo: false, isWrittenOut };
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
