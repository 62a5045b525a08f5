import { S3Problem } from "./problem.ts";

/** An element that was read: its text, or what is in it. */
export interface Element {
  name: string;
  text: string;
  children: Element[];
}

const SPECIAL = /[&<>"\ufffe\uffff]|(?![\t\n])\p{Cc}/u;
/** What XML cannot have. */
const FORBIDDEN = /[\ufffe\uffff]|(?![\t\n])\p{Cc}/gu;

/**
 * Text as XML has it; what XML cannot have is written as a reference, as S3 does. Most names need nothing of that, and the runtime replaces
 * a fixed text sooner than it calls back for each.
 */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(FORBIDDEN, (letter) => (letter === "\r" ? "&#13;" : `&#x${letter.charCodeAt(0).toString(16)};`));
}

/** An element with text. */
export const leaf = (name: string, text: string | number | boolean): string =>
  `<${name}>${escapeXml(String(text))}</${name}>`;

/** An element with elements in it, which are XML already. */
export const branch = (name: string, ...inside: readonly string[]): string => `<${name}>${inside.join("")}</${name}>`;

/** A whole document in the name space of S3. */
export const xmlDocument = (name: string, ...inside: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside.join("")}</${name}>`;

/** In this order: what stands for a `&` is no beginning of another. */
const NAMED = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
] as const;

/** Fixed texts are replaced at once, and the runtime calls back for each number alone. */
function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  const read = text.replace(/&#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));/g, (whole, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code > 0x10ffff) return whole;
    return code === 0x26 ? "&amp;" : String.fromCodePoint(code);
  });
  return NAMED.reduce((known, [name, letter]) => known.replaceAll(name, letter), read);
}

/** The same letters, without the document that they are a part of: the runtime keeps all of it for as long as a part is held. */
const ownText = (text: string): string => Buffer.from(text).toString();

const countIn = (text: string, part: string): number => (text.includes(part) ? text.split(part).length - 1 : 0);

/** Letters that are written as numbers. */
const MAX_NUMBERS = 100_000;
/** Comments and instructions are among them. */
const MAX_ELEMENTS = 50_000;
const MAX_DEPTH = 10;

/**
 * Tags, without their brackets, and the text between them, in one walk: a pattern would look for the end of each opened bracket
 * anew. Throws MalformedXML for a tag that never ends.
 */
function* cutAtTags(source: string): Generator<{ raw: string | null; text: string }> {
  for (let at = 0; at < source.length; ) {
    const begin = source.indexOf("<", at);
    if (begin !== at) yield { raw: null, text: source.slice(at, begin === -1 ? undefined : begin) };
    if (begin === -1) return;
    const end = source.indexOf(">", begin);
    if (end === -1) throw new S3Problem("MalformedXML");
    yield { raw: source.slice(begin + 1, end), text: "" };
    at = end + 1;
  }
}

/** Reads a document without declarations of types, of which S3 has none. Throws MalformedXML. */
export function parseXml(source: string): Element {
  const root: Element = { name: "", text: "", children: [] };
  const open: Element[] = [root];
  let count = 0;
  let numbers = 0;
  for (const { raw, text } of cutAtTags(source.replace(/^\ufeff/, ""))) {
    const current = open.at(-1) ?? root;
    if (raw === null) {
      numbers += countIn(text, "&#");
      if (numbers > MAX_NUMBERS) throw new S3Problem("MalformedXML");
      current.text += unescapeXml(ownText(text));
      continue;
    }
    if (!raw.startsWith("/")) count += 1;
    if (count > MAX_ELEMENTS) throw new S3Problem("MalformedXML");
    if (raw.startsWith("?")) continue;
    if (raw.startsWith("!--") && raw.endsWith("--")) continue;
    if (raw.startsWith("!") || raw === "") throw new S3Problem("MalformedXML");
    const name = /^\/?([\w:.-]+)/.exec(raw)?.[1]?.replace(/^.*:/, "");
    if (name === undefined) throw new S3Problem("MalformedXML");
    if (raw.startsWith("/")) {
      if (open.length === 1 || current.name !== name) throw new S3Problem("MalformedXML");
      open.pop();
      continue;
    }
    const element: Element = { name, text: "", children: [] };
    current.children.push(element);
    if (!raw.endsWith("/")) open.push(element);
    if (open.length > MAX_DEPTH) throw new S3Problem("MalformedXML");
  }
  const [only, ...more] = root.children;
  if (only === undefined || more.length > 0 || open.length > 1) throw new S3Problem("MalformedXML");
  return only;
}

/** Children of that name. */
export const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name);

/** Text of the first child of that name; null where there is none. */
export const textOf = (element: Element, name: string): string | null =>
  element.children.find((child) => child.name === name)?.text ?? null;
