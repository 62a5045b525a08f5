import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  publicEncrypt,
  randomBytes,
  sign,
} from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { makeOwnKey, type OwnKey } from "../../src/panel/people/sso/saml/own-key.ts";
import { makeCurveKey } from "./curve-key.ts";

const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
const DS = "http://www.w3.org/2000/09/xmldsig#";
const XENC = "http://www.w3.org/2001/04/xmlenc#";
const EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/** What somebody who signs in is at the provider. */
export interface SamlPerson {
  name_id: string;
  attributes: Record<string, string[]>;
}

/** What an answer is made of; `null` leaves it out. */
export interface SamlForgery {
  response: {
    id: string;
    issuer: string | null;
    destination: string | null;
    in_response_to: string | null;
    issued: string;
    status: string;
  };
  assertion: {
    id: string;
    issuer: string;
    issued: string;
    /** As it stands between the tags. */
    name_id: string | null;
    name_format: string;
    audience: string | null;
    recipient: string | null;
    in_response_to: string | null;
    not_before: string | null;
    not_on_or_after: string | null;
    session_ends: string | null;
    method: string;
    attributes: Record<string, string[]>;
  };
  signed: readonly ("assertion" | "response")[];
  /** The key that is listed, the next one of the same provider, one of a curve, or that of somebody else. */
  by: "listed" | "next" | "p256" | "p384" | "p521" | "stranger";
  hash: "sha256" | "sha384" | "sha512" | "sha1";
  /** What it says it was signed with, by the end of its name in XML; null for what it was. */
  way: string | null;
  /** Makes another value of the signature; `text` is what is signed. */
  value: (right: Buffer, text: string, key: OwnKey) => Buffer;
  /** The certificate to encrypt to, PEM, and the cipher. */
  encrypted: { to: string; cipher: "gcm" | "cbc" } | null;
  /** Changes the whole of it once it is signed; `parts` are its signed assertion and the signature of that. */
  after: (xml: string, parts: { assertion: string; bare: string; signature: string }) => string;
}

/** A form that a provider has the browser post. */
export interface SamlAnswer {
  acs: string;
  form: Record<string, string>;
}

/** What was asked, as it was read. */
export interface SamlAsked {
  xml: string;
  id: string;
  acs: string;
  issuer: string;
  relay_state: string;
  query: URLSearchParams;
}

/** A provider of SAML that answers as it is told: right unless `forge` makes something else of it. It is written apart from what it tries. */
export interface SamlForger {
  issuer: string;
  sign_on_url: string;
  people: Map<string, SamlPerson>;
  keys: Record<SamlForgery["by"], OwnKey>;
  forge: (right: SamlForgery) => SamlForgery;
  /** What was asked last. */
  asked: SamlAsked | null;
  /** Its metadata, with the keys that are named. */
  metadata(by?: readonly SamlForgery["by"][]): string;
  read(url: string): SamlAsked;
  /** Answers what a browser was sent with. */
  signIn(url: string, login: string): SamlAnswer;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const optional = (name: string, value: string | null): string => (value === null ? "" : ` ${name}="${escaped(value)}"`);
const packed = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, "");

const MORE = "http://www.w3.org/2001/04/xmldsig-more#";
const DIGESTS = { sha1: `${DS}sha1`, sha256: `${XENC}sha256`, sha384: `${MORE}sha384`, sha512: `${XENC}sha512` };

/** Signs a part that is written as exclusive canonical XML writes it. */
function signPart(part: string, id: string, key: OwnKey, { hash, way, value: change }: SamlForgery): string {
  const kind = createPrivateKey(key.private_key).asymmetricKeyType === "ec" ? "ecdsa" : "rsa";
  const algorithm = `${hash === "sha1" && kind === "rsa" ? DS : MORE}${way ?? `${kind}-${hash}`}`;
  const digest = DIGESTS[hash];
  const value = createHash(hash).update(part).digest("base64");
  const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
  const info = [
    `<ds:CanonicalizationMethod Algorithm="${exclusive}"></ds:CanonicalizationMethod>`,
    `<ds:SignatureMethod Algorithm="${algorithm}"></ds:SignatureMethod>`,
    `<ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="${DS}enveloped-signature"></ds:Transform>`,
    `<ds:Transform Algorithm="${exclusive}"></ds:Transform></ds:Transforms>`,
    `<ds:DigestMethod Algorithm="${digest}"></ds:DigestMethod><ds:DigestValue>${value}</ds:DigestValue></ds:Reference>`,
  ].join("");
  const signedText = `<ds:SignedInfo xmlns:ds="${DS}">${info}</ds:SignedInfo>`;
  const right = sign(hash, Buffer.from(signedText), { key: key.private_key, dsaEncoding: "ieee-p1363" });
  const signature = change(right, signedText, key).toString("base64");
  const keyInfo = `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${packed(key.certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`;
  return `<ds:Signature xmlns:ds="${DS}"><ds:SignedInfo>${info}</ds:SignedInfo><ds:SignatureValue>${signature}</ds:SignatureValue>${keyInfo}</ds:Signature>`;
}

function writeAssertion({ assertion: told }: SamlForgery): { head: string; tail: string } {
  const subject =
    told.name_id === null ? "" : `<saml:NameID Format="${told.name_format}">${told.name_id}</saml:NameID>`;
  const data = [
    optional("InResponseTo", told.in_response_to),
    optional("NotOnOrAfter", told.not_on_or_after),
    optional("Recipient", told.recipient),
  ].join("");
  const audience =
    told.audience === null
      ? ""
      : `<saml:AudienceRestriction><saml:Audience>${escaped(told.audience)}</saml:Audience></saml:AudienceRestriction>`;
  const attributes = Object.entries(told.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escaped(name)}">${values.map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`).join("")}</saml:Attribute>`,
  );
  const session = optional("SessionNotOnOrAfter", told.session_ends);
  return {
    head: `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${told.id}" IssueInstant="${told.issued}" Version="2.0"><saml:Issuer>${escaped(told.issuer)}</saml:Issuer>`,
    tail: [
      `<saml:Subject>${subject}<saml:SubjectConfirmation Method="${told.method}"><saml:SubjectConfirmationData${data}></saml:SubjectConfirmationData></saml:SubjectConfirmation></saml:Subject>`,
      `<saml:Conditions${optional("NotBefore", told.not_before)}${optional("NotOnOrAfter", told.not_on_or_after)}>${audience}</saml:Conditions>`,
      `<saml:AuthnStatement AuthnInstant="${told.issued}"${session}></saml:AuthnStatement>`,
      `<saml:AttributeStatement>${attributes.join("")}</saml:AttributeStatement></saml:Assertion>`,
    ].join(""),
  };
}

function encrypt(assertion: string, { to, cipher }: NonNullable<SamlForgery["encrypted"]>): string {
  const key = randomBytes(32);
  const name = cipher === "gcm" ? "aes-256-gcm" : "aes-256-cbc";
  const algorithm = cipher === "gcm" ? "http://www.w3.org/2009/xmlenc11#aes256-gcm" : `${XENC}aes256-cbc`;
  const iv = randomBytes(cipher === "gcm" ? 12 : 16);
  const ciphered = createCipheriv(name, key, iv);
  const body: Uint8Array[] = [iv, ciphered.update(assertion, "utf8"), ciphered.final()];
  if (cipher === "gcm") body.push((ciphered as unknown as { getAuthTag(): Buffer }).getAuthTag());
  const wrapped = publicEncrypt({ key: createPublicKey(to), oaepHash: "sha1" }, key).toString("base64");
  const value = (text: string) => `<xenc:CipherData><xenc:CipherValue>${text}</xenc:CipherValue></xenc:CipherData>`;
  const wrap = `<xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${XENC}rsa-oaep-mgf1p"></xenc:EncryptionMethod>${value(wrapped)}</xenc:EncryptedKey>`;
  return `<saml:EncryptedAssertion xmlns:saml="${ASSERTION}"><xenc:EncryptedData xmlns:xenc="${XENC}" Type="${XENC}Element"><xenc:EncryptionMethod Algorithm="${algorithm}"></xenc:EncryptionMethod><ds:KeyInfo xmlns:ds="${DS}">${wrap}</ds:KeyInfo>${value(Buffer.concat(body).toString("base64"))}</xenc:EncryptedData></saml:EncryptedAssertion>`;
}

/** Writes an answer out. */
export function writeAnswer(told: SamlForgery, key: OwnKey): string {
  const { head, tail } = writeAssertion(told);
  const bare = head + tail;
  const isSigned = (what: "assertion" | "response") => told.signed.includes(what);
  const signature = isSigned("assertion") ? signPart(bare, told.assertion.id, key, told) : "";
  const assertion = head + signature + tail;
  const { response } = told;
  const issuer =
    response.issuer === null ? "" : `<saml:Issuer xmlns:saml="${ASSERTION}">${escaped(response.issuer)}</saml:Issuer>`;
  const begin = `<samlp:Response xmlns:samlp="${PROTOCOL}"${optional("Destination", response.destination)} ID="${response.id}"${optional("InResponseTo", response.in_response_to)} IssueInstant="${response.issued}" Version="2.0">${issuer}`;
  const status = `<samlp:Status><samlp:StatusCode Value="${response.status}"></samlp:StatusCode></samlp:Status>`;
  const carried = told.encrypted === null ? assertion : encrypt(assertion, told.encrypted);
  const end = `${status}${response.status.endsWith(":Success") ? carried : ""}</samlp:Response>`;
  const whole = isSigned("response") ? signPart(begin + end, response.id, key, told) : "";
  return told.after(begin + whole + end, { assertion, bare, signature });
}

/** The address that a browser is sent to with a request of no panel, for answers that no panel takes. */
export const SIMPLE_REQUEST = `https://idp.example/sso?SAMLRequest=${encodeURIComponent(
  deflateRawSync(
    '<samlp:AuthnRequest ID="_q" AssertionConsumerServiceURL="https://panel.example/acs"><saml:Issuer>https://panel.example</saml:Issuer></samlp:AuthnRequest>',
  ).toString("base64"),
)}`;

/** Makes one; nothing listens, for it only ever speaks through browsers. `now` is the clock of the panel. */
export async function makeSamlForger(now: () => number): Promise<SamlForger> {
  const [listed, next, stranger] = [makeOwnKey(now()), makeOwnKey(now()), makeOwnKey(now())];
  const [p256, p384, p521] = [makeCurveKey(now(), "P-256"), makeCurveKey(now(), "P-384"), makeCurveKey(now(), "P-521")];
  const at = (seconds: number): string => new Date(now() + seconds * 1000).toISOString();
  const id = (): string => `_${crypto.randomUUID()}`;
  const made: SamlForger = {
    issuer: "https://idp.example/metadata",
    sign_on_url: "https://idp.example/sso?idp=1",
    people: new Map(),
    keys: { listed, next, p256, p384, p521, stranger },
    forge: (right) => right,
    asked: null,
    metadata(by = ["listed"]) {
      const keys = by.map(
        (name) =>
          `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${DS}"><ds:X509Data><ds:X509Certificate>${packed(made.keys[name].certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      );
      const service = `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${escaped(made.sign_on_url)}"/>`;
      return `<?xml version="1.0"?>\n<!-- of the provider -->\n<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(made.issuer)}"><md:IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}">${keys.join("")}${service}</md:IDPSSODescriptor></md:EntityDescriptor>`;
    },
    read(url) {
      const query = new URL(url).searchParams;
      const xml = inflateRawSync(Buffer.from(query.get("SAMLRequest") ?? "", "base64")).toString();
      const attribute = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? "";
      const issuer = /<saml:Issuer>([^<]*)</.exec(xml)?.[1] ?? "";
      const acs = attribute("AssertionConsumerServiceURL");
      return { xml, id: attribute("ID"), acs, issuer, relay_state: query.get("RelayState") ?? "", query };
    },
    signIn(url, login) {
      const asked = made.read(url);
      made.asked = asked;
      const person = made.people.get(login);
      const told = made.forge({
        response: {
          ...{ id: id(), issuer: made.issuer, destination: asked.acs, in_response_to: asked.id, issued: at(0) },
          status: "urn:oasis:names:tc:SAML:2.0:status:Success",
        },
        assertion: {
          ...{ id: id(), issuer: made.issuer, issued: at(0), name_id: person?.name_id ?? login, name_format: EMAIL },
          ...{ audience: asked.issuer, recipient: asked.acs, in_response_to: asked.id },
          ...{ not_before: at(-5), not_on_or_after: at(300), session_ends: null },
          ...{ method: "urn:oasis:names:tc:SAML:2.0:cm:bearer", attributes: person?.attributes ?? {} },
        },
        ...{ signed: ["assertion"], by: "listed", hash: "sha256", encrypted: null, after: (xml) => xml },
        ...{ way: null, value: (right) => right },
      });
      const xml = writeAnswer(told, made.keys[told.by]);
      return {
        acs: asked.acs,
        form: { SAMLResponse: Buffer.from(xml).toString("base64"), RelayState: asked.relay_state },
      };
    },
  };
  return made;
}
