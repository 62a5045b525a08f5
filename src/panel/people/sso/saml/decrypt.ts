import { constants, createDecipheriv, privateDecrypt } from "node:crypto";
import { allOf, attributeOf, childrenOf, textOf, type XmlElement } from "../../../../lib/xml.ts";
import { CIPHERS, type Cipher, KEY_WRAP, NS } from "./names.ts";
import { ResponseRefused } from "./structure.ts";

const TAG_BYTES = 16;
const OAEP_HASHES: ReadonlyMap<string, string> = new Map([
  ["http://www.w3.org/2000/09/xmldsig#sha1", "sha1"],
  ["http://www.w3.org/2000/09/xmldsig#sha256", "sha256"],
  ["http://www.w3.org/2000/09/xmldsig#sha512", "sha512"],
]);

/** Says the same of whatever cannot be opened: more would tell a forger how close they came. */
const unreadable = () =>
  new ResponseRefused(
    "answer",
    "The provider's answer cannot be decrypted",
    "Give the provider the certificate of this connector, by its metadata for example, and let it encrypt with AES-256-GCM and RSA-OAEP.",
  );

function one(root: XmlElement, name: string): XmlElement {
  const [found, ...more] = [...allOf(root)].filter((each) => each.namespace === NS.encryption && each.name === name);
  if (!found || more.length > 0) throw unreadable();
  return found;
}

const methodOf = (element: XmlElement): XmlElement => {
  const [method] = childrenOf(element, NS.encryption, "EncryptionMethod");
  if (!method) throw unreadable();
  return method;
};

function bytesOf(element: XmlElement): Buffer {
  const [data] = childrenOf(element, NS.encryption, "CipherData");
  const [value] = data ? childrenOf(data, NS.encryption, "CipherValue") : [];
  if (!value) throw unreadable();
  return Buffer.from(textOf(value), "base64");
}

/** The key of the assertion, which our own key opens. */
function openKey(encryptedKey: XmlElement, privateKey: string): Buffer {
  const method = methodOf(encryptedKey);
  if (attributeOf(method, "Algorithm") !== KEY_WRAP) throw unreadable();
  const [digest] = childrenOf(method, NS.signature, "DigestMethod");
  const oaepHash = OAEP_HASHES.get(
    (digest && attributeOf(digest, "Algorithm")) ?? "http://www.w3.org/2000/09/xmldsig#sha1",
  );
  if (oaepHash === undefined) throw unreadable();
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return privateDecrypt({ key: privateKey, padding, oaepHash }, bytesOf(encryptedKey));
}

function decipher({ name, proves }: Cipher, key: Buffer, bytes: Buffer): Buffer {
  const ivBytes = proves ? 12 : 16;
  const iv = bytes.subarray(0, ivBytes);
  if (name === "aes-128-gcm" || name === "aes-256-gcm") {
    const opened = createDecipheriv(name, key, iv, { authTagLength: TAG_BYTES });
    opened.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([opened.update(bytes.subarray(ivBytes, -TAG_BYTES)), opened.final()]);
  }
  const opened = createDecipheriv(name, key, iv).setAutoPadding(false);
  const padded = Buffer.concat([opened.update(bytes.subarray(ivBytes)), opened.final()]);
  const padding = padded.at(-1) ?? 0;
  if (padding < 1 || padding > 16) throw unreadable();
  return padded.subarray(0, -padding);
}

/** What an assertion is encrypted with, as it says itself. Throws ResponseRefused for what is not known. */
export function cipherOf(encrypted: XmlElement): Cipher {
  const cipher = CIPHERS.get(attributeOf(methodOf(one(encrypted, "EncryptedData")), "Algorithm") ?? "");
  if (!cipher) throw unreadable();
  return cipher;
}

/** Opens an encrypted assertion, to look at it before anything else reads it. Throws ResponseRefused. */
export function decryptAssertion(encrypted: XmlElement, cipher: Cipher, privateKey: string): string {
  const data = one(encrypted, "EncryptedData");
  try {
    const key = openKey(one(encrypted, "EncryptedKey"), privateKey);
    return new TextDecoder("utf-8", { fatal: true }).decode(decipher(cipher, key, bytesOf(data)));
  } catch {
    throw unreadable();
  }
}
