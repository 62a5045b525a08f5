/** Names that SAML 2.0, XML signatures and XML encryption give things. */

export const NS = {
  protocol: "urn:oasis:names:tc:SAML:2.0:protocol",
  assertion: "urn:oasis:names:tc:SAML:2.0:assertion",
  metadata: "urn:oasis:names:tc:SAML:2.0:metadata",
  signature: "http://www.w3.org/2000/09/xmldsig#",
  encryption: "http://www.w3.org/2001/04/xmlenc#",
} as const;

export const BINDING = {
  post: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
  redirect: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
} as const;

export const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
export const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
/** A name that is another one at each sign-in. */
export const TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";

export const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

/** How a key is hidden in an encrypted assertion. */
export const KEY_WRAP = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";
/** A cipher for the assertion itself. */
export interface Cipher {
  name: string;
  /** It shows whether anybody changed what is in it. */
  proves: boolean;
}

export const CIPHERS: ReadonlyMap<string, Cipher> = new Map([
  ["http://www.w3.org/2009/xmlenc11#aes128-gcm", { name: "aes-128-gcm", proves: true }],
  ["http://www.w3.org/2009/xmlenc11#aes256-gcm", { name: "aes-256-gcm", proves: true }],
  ["http://www.w3.org/2001/04/xmlenc#aes128-cbc", { name: "aes-128-cbc", proves: false }],
  ["http://www.w3.org/2001/04/xmlenc#aes256-cbc", { name: "aes-256-cbc", proves: false }],
]);
