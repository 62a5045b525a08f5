import { allOf, attributeOf, childrenOf, readXml, textOf, type XmlElement, XmlRefused } from "../../../../lib/xml.ts";
import { CERTIFICATES_MAX, fail } from "../contract.ts";
import { isUsableSignOn } from "../issuer.ts";
import { readCertificate } from "./certificates.ts";
import { BINDING, NS } from "./names.ts";

/** What a provider says of itself. */
export interface ProviderDescription {
  issuer: string;
  sign_on_url: string;
  /** PEM. */
  certificates: string[];
  wants_signed_requests: boolean;
}

const refuse = (reason: string) => fail("metadata_unusable", { field: "metadata", reason });

function parse(text: string): XmlElement {
  try {
    // Nobody signs it here, so a comment in it hides nothing.
    return readXml(text.replace(/^\ufeff/, "").trim(), { hasComments: true });
  } catch (error) {
    if (error instanceof XmlRefused) throw refuse(`it ${error.message}`);
    throw error;
  }
}

function certificatesOf(descriptor: XmlElement): string[] {
  const keys = childrenOf(descriptor, NS.metadata, "KeyDescriptor").filter((key) =>
    [null, "signing"].includes(attributeOf(key, "use")),
  );
  const all = keys.flatMap((key) => [...allOf(key)].filter(({ name }) => name === "X509Certificate"));
  const distinct = [...new Set(all.map((one) => readCertificate(textOf(one))))];
  if (distinct.length === 0) throw refuse("it names no certificate that the provider signs with.");
  if (distinct.length > CERTIFICATES_MAX) throw refuse(`it names more than ${CERTIFICATES_MAX} certificates.`);
  return distinct;
}

function signOnOf(descriptor: XmlElement): string {
  const services = childrenOf(descriptor, NS.metadata, "SingleSignOnService");
  const found = services.find((one) => attributeOf(one, "Binding") === BINDING.redirect);
  const url = found && attributeOf(found, "Location");
  if (!url) throw refuse("it names no address to sign in at by the binding HTTP-Redirect.");
  if (!isUsableSignOn(url)) throw refuse("its address to sign in at does not begin with https://.");
  return url;
}

/** Reads a provider's metadata. Throws `metadata_unusable`, `certificate_unusable`. */
export function readMetadata(text: string): ProviderDescription {
  const root = parse(text);
  const isOne = root.namespace === NS.metadata && root.name === "EntityDescriptor";
  if (!isOne)
    throw refuse(
      root.name === "EntitiesDescriptor"
        ? "it describes several providers. Give the part of one."
        : "it is no metadata of SAML 2.0.",
    );
  const descriptors = childrenOf(root, NS.metadata, "IDPSSODescriptor").filter((one) =>
    attributeOf(one, "protocolSupportEnumeration")?.split(/\s+/).includes(NS.protocol),
  );
  const [descriptor, ...more] = descriptors;
  if (!descriptor || more.length > 0) throw refuse("it does not describe a provider that people sign in at.");
  const issuer = attributeOf(root, "entityID") ?? "";
  if (issuer === "" || issuer.length > 500) throw refuse("it does not name its entity id.");
  return {
    issuer,
    sign_on_url: signOnOf(descriptor),
    certificates: certificatesOf(descriptor),
    wants_signed_requests: attributeOf(descriptor, "WantAuthnRequestsSigned") === "true",
  };
}
