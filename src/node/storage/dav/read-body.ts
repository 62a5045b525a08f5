import type { Take } from "../../../kernel/http/body-budget.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { ByteBuffer } from "../../../lib/byte-buffer.ts";
import { readXml, type XmlElement, XmlRefused, type XmlRules } from "../../../lib/xml.ts";
import { fail } from "./contract.ts";

/** Largest XML of a request; what clients send has some hundred bytes. */
export const XML_LIMIT_BYTES = 256 * 1024;

/** How programs write: nobody signs what they send. */
export const DAV_XML: XmlRules = { hasComments: true, isLoose: true };

/** Whether an element has that name in the namespace of WebDAV. */
export const isDav = (element: XmlElement, name: string): boolean =>
  element.namespace === "DAV:" && element.name === name;

/** The XML of a request; null where there is no body. Throws `payload_too_large`, `dav_xml_invalid` and what `take` throws. */
export async function readXmlBody(body: AsyncIterable<Uint8Array>, take: Take): Promise<XmlElement | null> {
  const buffer = new ByteBuffer();
  for await (const piece of body) {
    if (buffer.length + piece.length > XML_LIMIT_BYTES)
      throw kernelFail("payload_too_large", { limit_bytes: XML_LIMIT_BYTES });
    take(piece.length);
    buffer.append(piece);
  }
  if (buffer.length === 0) return null;
  try {
    return readXml(new TextDecoder("utf-8", { fatal: true }).decode(buffer.view()), DAV_XML);
  } catch (error) {
    if (error instanceof XmlRefused)
      throw fail("dav_xml_invalid", { reason: `it ${error.message.replace(/\.$/, "")}` });
    if (error instanceof TypeError) throw fail("dav_xml_invalid", { reason: "it is not UTF-8" });
    throw error;
  }
}

/** Refuses a request that brings a body where none is known. Throws `dav_body_unknown`. */
export async function refuseBody(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of body) if (piece.length > 0) throw fail("dav_body_unknown");
}
