import type { SamlForger, SamlForgery } from "./saml-forger.ts";

type Forge = (told: SamlForgery) => SamlForgery;

/** The assertion that a forger would like to be read: of the admin, and signed by nobody. */
const evilOf = (bare: string): string =>
  bare.replaceAll("mallory@target.example", "admin@target.example").replace(/ ID="[^"]*"/, ' ID="_evil"');
const after =
  (change: SamlForgery["after"], signed: SamlForgery["signed"] = ["assertion"]) =>
  (told: SamlForgery): SamlForgery => ({ ...told, signed, after: change });
/** With another assertion, signed as it is. */
export const assertion =
  (change: Partial<SamlForgery["assertion"]>) =>
  (told: SamlForgery): SamlForgery => ({ ...told, assertion: { ...told.assertion, ...change } });
/** With another response around it. */
export const response =
  (change: Partial<SamlForgery["response"]>) =>
  (told: SamlForgery): SamlForgery => ({ ...told, response: { ...told.response, ...change } });
/** With moments so many seconds from when it is written. */
export const timed =
  (make: (at: (seconds: number) => string) => Forge) =>
  (told: SamlForgery): SamlForgery =>
    make((seconds) => new Date(Date.parse(told.response.issued) + seconds * 1000).toISOString())(told);
const doctype = (body: string) =>
  after((xml) => `<!DOCTYPE r [${body}]>${xml.replace("mallory@target.example", "&x;")}`);

/** A signed response within another one that nobody signed: at `place` of the forged one. */
const wrapResponse = (place: "after" | "before") =>
  after(
    (xml) => {
      const signature = /<ds:Signature .*?<\/ds:Signature>/.exec(xml)?.[0] ?? "";
      const original = xml.replace(signature, "");
      const evil = original.replace(/ ID="[^"]*"/, ' ID="_evilresponse"').replaceAll("mallory", "admin");
      const moved =
        place === "after" ? signature.replace("</ds:Signature>", `${original}</ds:Signature>`) : original + signature;
      return evil.replace("</saml:Issuer>", `</saml:Issuer>${moved}`);
    },
    ["response"],
  );

/** Answers of which something is signed, and something else would be read: the eight of the papers on it, and more. */
export const WRAPPED: [string, Forge][] = [
  ["1: the signed response within its own signature", wrapResponse("after")],
  ["2: the signed response before its signature", wrapResponse("before")],
  [
    "3: a forged assertion before the signed one",
    after((xml, parts) => xml.replace(parts.assertion, evilOf(parts.bare) + parts.assertion)),
  ],
  [
    "4: the signed assertion within a forged one",
    after((xml, parts) =>
      xml.replace(
        parts.assertion,
        evilOf(parts.bare).replace("</saml:Assertion>", `${parts.assertion}</saml:Assertion>`),
      ),
    ),
  ],
  [
    "5: the signature in a forged assertion, what it signs behind",
    after((xml, parts) =>
      xml.replace(
        parts.assertion,
        evilOf(parts.bare).replace("</saml:Issuer>", `</saml:Issuer>${parts.signature}`) + parts.bare,
      ),
    ),
  ],
  [
    "6: what is signed within the signature of a forged assertion",
    after((xml, parts) => {
      const signature = parts.signature.replace("</ds:Signature>", `${parts.bare}</ds:Signature>`);
      return xml.replace(parts.assertion, evilOf(parts.bare).replace("</saml:Issuer>", `</saml:Issuer>${signature}`));
    }),
  ],
  [
    "7: a forged assertion within extensions",
    after((xml, parts) =>
      xml.replace("<samlp:Status>", `<samlp:Extensions>${evilOf(parts.bare)}</samlp:Extensions><samlp:Status>`),
    ),
  ],
  [
    "8: what is signed within an object of the signature",
    after((xml, parts) => {
      const signature = parts.signature.replace(
        "</ds:Signature>",
        `<ds:Object>${parts.bare}</ds:Object></ds:Signature>`,
      );
      return xml.replace(parts.assertion, evilOf(parts.bare).replace("</saml:Issuer>", `</saml:Issuer>${signature}`));
    }),
  ],
  [
    "the signature in the response, of the assertion",
    after((xml, { signature }) => xml.replace(signature, "").replace("<samlp:Status>", `${signature}<samlp:Status>`)),
  ],
  [
    "a forged assertion under the same id",
    after((xml, parts) => xml.replace(parts.assertion, parts.bare.replaceAll("mallory", "admin") + parts.assertion)),
  ],
  [
    "the same id twice, in another spelling",
    after((xml, parts) => {
      const id = / ID="([^"]*)"/.exec(parts.bare)?.[1];
      return xml.replace("<samlp:Status>", `<samlp:Status id="${id}">`);
    }),
  ],
  ["two signatures", after((xml, { signature }) => xml.replace(signature, signature + signature))],
  [
    "an assertion of another namespace beside it",
    after((xml) => xml.replace("<samlp:Status>", '<Assertion xmlns="urn:other"></Assertion><samlp:Status>')),
  ],
  [
    "a second reference",
    after((xml) => xml.replace("</ds:Reference>", '</ds:Reference><ds:Reference URI="#_evil"></ds:Reference>')),
  ],
  ["a signature of everything", after((xml) => xml.replace(/ URI="#[^"]*"/, ' URI=""'))],
  [
    "a transform that leaves something out",
    after((xml) =>
      xml.replace(
        /<ds:Transform Algorithm="[^"]*exc-c14n#">/,
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">',
      ),
    ),
  ],
];

/** Answers that are not to be believed, and what they are refused for. `forger` gives the one that makes them. */
export const forgeriesOf = (forger: () => SamlForger): [string, string, Forge][] => [
  ["no signature", "signature", (told) => ({ ...told, signed: [] })],
  ["the key of somebody else", "signature", (told) => ({ ...told, by: "stranger" })],
  [
    "the key of somebody else with the listed certificate",
    "signature",
    (told) => ({
      ...told,
      by: "stranger",
      after: (xml) =>
        xml.replace(
          /(<ds:X509Certificate>)[^<]*/,
          `$1${forger().keys.listed.certificate.replace(/-----[A-Z ]+-----|\s/g, "")}`,
        ),
    }),
  ],
  ["SHA-1", "signature", (told) => ({ ...told, hash: "sha1" })],
  [
    "a digest by SHA-1",
    "signature",
    after((xml) =>
      xml.replace(
        /<ds:DigestMethod Algorithm="[^"]*"/,
        '<ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"',
      ),
    ),
  ],
  [
    "a secret in the place of a key",
    "signature",
    after((xml) =>
      xml.replace(
        /<ds:SignatureMethod Algorithm="[^"]*"/,
        '<ds:SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#hmac-sha1"',
      ),
    ),
  ],
  ["a name changed after it was signed", "signature", after((xml) => xml.replaceAll("mallory@", "admin@"))],
  [
    "a group added after it was signed",
    "signature",
    after((xml) =>
      xml.replace("</saml:AttributeValue>", "</saml:AttributeValue><saml:AttributeValue>root</saml:AttributeValue>"),
    ),
  ],
  [
    "a signed response whose assertion was changed",
    "signature",
    after((xml) => xml.replaceAll("mallory@", "admin@"), ["response"]),
  ],
  [
    "an assertion signed by nobody in a response that was changed",
    "signature",
    (told) => ({
      ...told,
      signed: ["response", "assertion"],
      after: (xml) => xml.replace(/ Destination="[^"]*"/, ' Destination="https://evil.example"'),
    }),
  ],
  [
    "a comment in the name, before it is signed",
    "answer",
    assertion({ name_id: "admin@target.example<!-- -->.evil.example" }),
  ],
  [
    "a comment in the name, after it was signed",
    "answer",
    after((xml) => xml.replace("mallory@target.example", "mallory@target<!---->.example")),
  ],
  [
    "CDATA in the name",
    "answer",
    after((xml) => xml.replace("mallory@target.example", "<![CDATA[mallory@target.example]]>")),
  ],
  ["an element in the name", "answer", assertion({ name_id: "admin@target.example<saml:x></saml:x>.evil.example" })],
  ["an instruction", "answer", after((xml) => xml.replace("<samlp:Status>", "<?php x ?><samlp:Status>"))],
  ["DOCTYPE", "answer", after((xml) => `<!DOCTYPE r>${xml}`)],
  ["DOCTYPE in small letters", "answer", after((xml) => `<!doctype r>${xml}`)],
  ["an entity that reads a file", "answer", doctype('<!ENTITY x SYSTEM "file:///etc/passwd">')],
  ["an entity that calls an address", "answer", doctype('<!ENTITY x SYSTEM "http://127.0.0.1:1/x">')],
  [
    "entities of entities",
    "answer",
    doctype('<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x "&b;&b;&b;&b;&b;&b;&b;&b;">'),
  ],
  ["an entity that nobody defined", "answer", after((xml) => xml.replace("mallory@", "&who;@"))],
  [
    "a file to include",
    "answer",
    after((xml) => xml.replace("<samlp:Status>", '<xi:include href="file:///etc/passwd"/><samlp:Status>')),
  ],
  [
    "more than 256 KiB",
    "answer",
    after((xml) => xml.replace("<samlp:Status>", `<samlp:Status>${" ".repeat(300_000)}`)),
  ],
  [
    "a thousand levels",
    "answer",
    after((xml) => xml.replace("<samlp:Status>", `${"<a>".repeat(1000)}${"</a>".repeat(1000)}<samlp:Status>`)),
  ],
  ["a control character by its number", "answer", after((xml) => xml.replace("mallory@", "mallory&#0;@"))],
  ["another document behind it", "answer", after((xml) => xml + xml)],
  ["no XML", "answer", after(() => "not xml")],
  ["nothing", "answer", after(() => "")],
  ["a request in its place", "answer", after(() => forger().asked?.xml ?? "")],
  ["another issuer", "claims", assertion({ issuer: "https://elsewhere.example" })],
  ["another issuer of the response", "claims", response({ issuer: "https://elsewhere.example" })],
  ["another audience", "claims", assertion({ audience: "https://another.example" })],
  ["no audience", "claims", assertion({ audience: null })],
  ["another recipient", "claims", assertion({ recipient: "https://another.example/acs" })],
  ["no recipient", "claims", assertion({ recipient: null })],
  ["another destination", "claims", response({ destination: "https://another.example/acs" })],
  [
    "a signed response without destination",
    "claims",
    (told) => ({ ...response({ destination: null })(told), signed: ["response"] }),
  ],
  [
    "another way to confirm than to bring it",
    "claims",
    assertion({ method: "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key" }),
  ],
  [
    "the answer to another request",
    "claims",
    (told) => response({ in_response_to: "_another" })(assertion({ in_response_to: "_another" })(told)),
  ],
  ["an assertion for another request", "claims", assertion({ in_response_to: "_another" })],
  [
    "a provider that began by itself",
    "unsolicited",
    (told) => response({ in_response_to: null })(assertion({ in_response_to: null })(told)),
  ],
  ["an answer that ran out", "clock", timed((at) => assertion({ not_on_or_after: at(-61) }))],
  ["an answer of tomorrow", "clock", timed((at) => assertion({ not_before: at(61) }))],
  ["an answer that was written tomorrow", "clock", timed((at) => response({ issued: at(61) }))],
  [
    "an old one that is good for long",
    "clock",
    timed((at) => assertion({ issued: at(-3600), not_on_or_after: at(86_400) })),
  ],
  ["an answer that never runs out", "clock", assertion({ not_on_or_after: null })],
  ["an answer that runs out at no time", "clock", assertion({ not_on_or_after: "never" })],
  ["a session that is over at the provider", "clock", timed((at) => assertion({ session_ends: at(-61) }))],
  ["an assertion about nobody", "answer", assertion({ name_id: null })],
  [
    "a name that is another one each time",
    "answer",
    assertion({ name_format: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" }),
  ],
  [
    "an encrypted one without a key to open it",
    "answer",
    (told) => ({ ...told, encrypted: { to: forger().keys.next.certificate, cipher: "gcm" } }),
  ],
  ["a provider that says no", "provider", response({ status: "urn:oasis:names:tc:SAML:2.0:status:AuthnFailed" })],
];
