import { escapeHtml } from "../../../../lib/escape-html.ts";
import { BINDING, NS } from "./names.ts";

/** What we say of ourselves to a provider. */
export interface OwnDescription {
  entity_id: string;
  acs_url: string;
  /** Our certificate, PEM; null while there is none. */
  certificate: string | null;
  signs_requests: boolean;
  takes_encrypted: boolean;
}

function key(use: "signing" | "encryption", pem: string): string {
  const packed = pem.replace(/-----[A-Z ]+-----|\s/g, "");
  const methods =
    use === "encryption"
      ? '<md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/><md:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>'
      : "";
  return `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="${NS.signature}"><ds:X509Data><ds:X509Certificate>${packed}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>${methods}</md:KeyDescriptor>`;
}

/** Our metadata: where answers come, that they have to be signed, and the key that signs what we ask. */
export function writeMetadata({
  entity_id,
  acs_url,
  certificate,
  signs_requests,
  takes_encrypted,
}: OwnDescription): string {
  const keys =
    certificate === null
      ? ""
      : `${signs_requests ? key("signing", certificate) : ""}${takes_encrypted ? key("encryption", certificate) : ""}`;
  const service = `<md:AssertionConsumerService Binding="${BINDING.post}" Location="${escapeHtml(acs_url)}" index="0" isDefault="true"/>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<md:EntityDescriptor xmlns:md="${NS.metadata}" entityID="${escapeHtml(entity_id)}">`,
    `<md:SPSSODescriptor protocolSupportEnumeration="${NS.protocol}" AuthnRequestsSigned="${signs_requests && certificate !== null}" WantAssertionsSigned="true">`,
    `${keys}${service}</md:SPSSODescriptor></md:EntityDescriptor>`,
    "",
  ].join("\n");
}
