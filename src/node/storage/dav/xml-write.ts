import { XML_NAMESPACE, type XmlElement } from "../../../lib/xml.ts";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Text as XML has it. */
export const escapeXml = (text: string): string => text.replace(/[&<>"\r]/g, (letter) => escapes[letter] ?? letter);

/** Text of an attribute, whose tabs and ends of lines would become spaces. */
const escapeValue = (text: string): string =>
  escapeXml(text).replace(/[\t\n]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** An element of WebDAV with what is XML already. */
export const tag = (name: string, inside = ""): string =>
  inside === "" ? `<D:${name}/>` : `<D:${name}>${inside}</D:${name}>`;

/** An element of WebDAV with text. */
export const leaf = (name: string, text: string | number): string => tag(name, escapeXml(String(text)));

/** A whole document around one element of WebDAV. */
export const xmlDocument = (name: string, inside: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<D:${name} xmlns:D="DAV:">${inside}</D:${name}>\n`;

/** An element without what is in it, by its full name. */
export const emptyElement = (namespace: string, name: string): string =>
  writeElement({ namespace, name, attributes: [], children: [] });

/**
 * An element with all that is in it, with every namespace declared where it is needed: it can stand in any document in which the
 * empty prefix stands for nothing.
 */
export function writeElement({ namespace, name, attributes, children }: XmlElement, around = ""): string {
  const full = namespace === "" ? name : `x:${name}`;
  const declared = namespace === "" || namespace === around ? "" : ` xmlns:x="${escapeValue(namespace)}"`;
  const given = attributes.map(({ namespace: of, name: key, value }, at) => {
    if (of === "") return ` ${key}="${escapeValue(value)}"`;
    if (of === XML_NAMESPACE) return ` xml:${key}="${escapeValue(value)}"`;
    return ` xmlns:a${at}="${escapeValue(of)}" a${at}:${key}="${escapeValue(value)}"`;
  });
  const start = `<${full}${declared}${given.join("")}`;
  const held = namespace === "" ? around : namespace;
  const inside = children.map((child) => (typeof child === "string" ? escapeXml(child) : writeElement(child, held)));
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join("")}</${full}>`;
}
