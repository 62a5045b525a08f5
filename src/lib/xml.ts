/** An element of a document, with its names resolved. */
export interface XmlElement {
  namespace: string;
  name: string;
  attributes: readonly XmlAttribute[];
  /** Elements and texts in their order. */
  children: readonly (XmlElement | string)[];
}

/** An attribute; `namespace` is empty for one without a prefix. Declarations of namespaces are none. */
export interface XmlAttribute {
  namespace: string;
  name: string;
  value: string;
}

/** A document that is not taken; the message is for people and ends a sentence that begins with "It ". */
export class XmlRefused extends Error {}

/** A document that has more elements or attributes than it may have. */
export class XmlTooLarge extends XmlRefused {}

/** How much of XML a document may use. */
export interface XmlRules {
  /** Comments are passed over rather than refused; for documents that nobody signed. */
  hasComments?: boolean;
  /** Instructions are passed over, CDATA is text, and names have letters of any language: all that programs write who are not signed. */
  isLoose?: boolean;
  /** How many declarations of prefixes may hold at one place; any number unless told. */
  mostInScope?: number;
  /** How many elements there may be; 5,000 unless told. */
  mostElements?: number;
  /** How long names may be, and what a prefix stands for: whoever writes an element again may have to say that many times. 1,000 unless told. */
  longestName?: number;
  /** How many attributes there may be, declarations among them: of an element, 50 unless told, and in all, any number unless told. */
  mostAttributes?: { each: number; all: number };
}

const MAX_DEPTH = 40;
const MAX_ELEMENTS = 5_000;
const MOST_ATTRIBUTES = { each: 50, all: Number.POSITIVE_INFINITY };
const MAX_NAME_LENGTH = 1_000;
/** What the prefix `xml` stands for. */
export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";

const DECLARATION = /^<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')([^?<>]*)\?>/;
const DECLARED_ENCODING = /encoding\s*=\s*["']([^"']*)["']/;
const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;
const ANY_NAME = /[\p{L}_][\p{L}\p{N}\p{M}_.\-\u00b7]*(?::[\p{L}_][\p{L}\p{N}\p{M}_.\-\u00b7]*)?/uy;
const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these, and its readers do not agree on them.
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const refuse = (why: string) => new XmlRefused(why);

/** The character of a reference by number. Throws XmlRefused for one that no document may have. */
function characterAt(digits: string): string {
  const code = digits.startsWith("x") ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  const isScalar = code <= 0x10_ff_ff && !(code >= 0xd800 && code <= 0xdfff);
  const text = isScalar ? String.fromCodePoint(code) : "\u0000";
  if (NO_CHARACTER.test(text)) throw refuse("has a character that XML does not have.");
  return text;
}

/** Text with its references replaced; nobody can define any. */
function decode(raw: string): string {
  if (!raw.includes("&")) return raw;
  return raw.replace(/&([^;&]{0,12};?)/g, (_, told: string) => {
    const number = /^#(x[0-9A-Fa-f]{1,6}|[0-9]{1,7});$/.exec(told)?.[1];
    const known = number === undefined ? ENTITIES[told.slice(0, -1)] : characterAt(number);
    if (known === undefined || !told.endsWith(";")) throw refuse("uses an entity that XML itself does not have.");
    return known;
  });
}

/** Prefixes that hold somewhere: those declared there, then those around. Copies of all would cost what a document likes. */
interface Scope {
  declared: ReadonlyMap<string, string>;
  outer: Scope | null;
  /** Declarations that hold there, those around included. */
  count: number;
}

const OUTERMOST: Scope = { declared: new Map([["xml", XML_NAMESPACE]]), outer: null, count: 0 };

/** What a prefix stands for. */
function namespaceOf(scope: Scope, prefix: string): string | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const found = at.declared.get(prefix);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Tag {
  qualified: string;
  attributes: [name: string, value: string][];
  isEmpty: boolean;
}

/** Reads a document from its start to its end. */
class Reader {
  private at = 0;
  private elements = 0;
  private attributes = 0;
  private readonly text: string;
  private readonly rules: XmlRules;
  private readonly name: RegExp;

  constructor(text: string, rules: XmlRules) {
    this.text = text;
    this.rules = rules;
    this.name = rules.isLoose ? ANY_NAME : NAME;
  }

  document(): XmlElement {
    const declared = DECLARATION.exec(this.text);
    if (declared) {
      const encoding = DECLARED_ENCODING.exec(declared[1] ?? "")?.[1] ?? "utf-8";
      if (encoding.toLowerCase() !== "utf-8") throw refuse(`is written in ${encoding.slice(0, 20)}, not UTF-8.`);
      this.at = declared[0].length;
    }
    this.betweenElements();
    const root = this.element(OUTERMOST, 1);
    this.betweenElements();
    if (this.at < this.text.length) throw refuse("goes on after its end.");
    return root;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private takeName(): string {
    const name = this.take(this.name);
    const { longestName = MAX_NAME_LENGTH } = this.rules;
    if (name.length > longestName) throw refuse(`has a name of more than ${longestName} letters.`);
    return name;
  }

  private starts(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Passes over what may stand around the one element of a document. */
  private betweenElements(): void {
    this.take(SPACE);
    while (this.starts("<!--") || (this.rules.isLoose && this.starts("<?"))) {
      if (this.starts("<?")) this.instruction();
      else this.comment();
      this.take(SPACE);
    }
  }

  private instruction(): void {
    const end = this.text.indexOf("?>", this.at + 2);
    if (end < 0) throw refuse("ends before it is complete.");
    this.at = end + 2;
  }

  /** The text of a CDATA section, which is what it is. */
  private plainText(): string {
    const begin = this.at + "<![CDATA[".length;
    const end = this.text.indexOf("]]>", begin);
    if (end < 0) throw refuse("ends before it is complete.");
    this.at = end + 3;
    return this.text.slice(begin, end);
  }

  private comment(): void {
    const end = this.text.indexOf("-->", this.at + 4);
    if (!this.rules.hasComments || end < 0) throw refuse("has a comment, which can hide where a value ends.");
    this.at = end + 3;
  }

  /** Throws XmlRefused with the name of what stands here, if that is nothing but elements and text. */
  private refuseOthers(): void {
    if (/^<!DOCTYPE/i.test(this.text.slice(this.at, this.at + 9)))
      throw refuse("has a DOCTYPE, which can define entities or fetch other documents.");
    if (this.starts("<![CDATA[")) throw refuse("has a CDATA section, which not all readers take for the same text.");
    if (this.starts("<?")) throw refuse("has an instruction for other programs.");
    if (this.starts("<!")) throw refuse("has a declaration.");
  }

  private tag(): Tag {
    this.refuseOthers();
    if (!this.starts("<")) throw refuse("is no XML.");
    this.at += 1;
    const qualified = this.takeName();
    if (qualified === "") throw refuse("has an element without a plain name.");
    const attributes: Tag["attributes"] = [];
    const { each, all } = this.rules.mostAttributes ?? MOST_ATTRIBUTES;
    for (;;) {
      const space = this.take(SPACE);
      if (this.starts("/>")) {
        this.at += 2;
        return { qualified, attributes, isEmpty: true };
      }
      if (this.starts(">")) {
        this.at += 1;
        return { qualified, attributes, isEmpty: false };
      }
      if (space === "") throw refuse("has an element that is not well formed.");
      attributes.push(this.attribute());
      if (attributes.length > each) throw refuse(`has an element with more than ${each} attributes.`);
      this.attributes += 1;
      if (this.attributes > all) throw new XmlTooLarge(`has more than ${all} attributes.`);
    }
  }

  private attribute(): [string, string] {
    const name = this.takeName();
    this.take(SPACE);
    if (name === "" || !this.starts("=")) throw refuse("has an attribute that is not well formed.");
    this.at += 1;
    this.take(SPACE);
    const quote = this.text[this.at];
    const end = quote === '"' || quote === "'" ? this.text.indexOf(quote, this.at + 1) : -1;
    if (end < 0) throw refuse("has an attribute without quotes.");
    const raw = this.text.slice(this.at + 1, end);
    if (raw.includes("<")) throw refuse("has an attribute that is not well formed.");
    this.at = end + 1;
    return [name, decode(raw.replace(/[\t\n]/g, " "))];
  }

  private element(outer: Scope, depth: number): XmlElement {
    if (depth > MAX_DEPTH) throw refuse(`is nested deeper than ${MAX_DEPTH} levels.`);
    this.elements += 1;
    const { mostElements = MAX_ELEMENTS } = this.rules;
    if (this.elements > mostElements) throw new XmlTooLarge(`has more than ${mostElements} elements.`);
    const { qualified, attributes, isEmpty } = this.tag();
    const scope = scopeOf(outer, attributes, this.rules.longestName ?? MAX_NAME_LENGTH);
    if (scope.count > (this.rules.mostInScope ?? scope.count))
      throw refuse(`declares more than ${this.rules.mostInScope} prefixes at one place.`);
    const [namespace, name] = resolve(scope, qualified, true);
    const children = isEmpty ? [] : this.content(qualified, scope, depth);
    return { namespace, name, attributes: plainAttributes(scope, attributes), children };
  }

  private content(qualified: string, scope: Scope, depth: number): (XmlElement | string)[] {
    const children: (XmlElement | string)[] = [];
    for (;;) {
      const next = this.text.indexOf("<", this.at);
      if (next < 0) throw refuse("ends before it is complete.");
      const raw = this.text.slice(this.at, next);
      if (raw.includes("]]>")) throw refuse("has text that is not well formed.");
      if (raw !== "") children.push(decode(raw));
      this.at = next;
      if (this.starts("<!--")) this.comment();
      else if (this.rules.isLoose && this.starts("<?")) this.instruction();
      else if (this.rules.isLoose && this.starts("<![CDATA[")) children.push(this.plainText());
      else if (this.starts("</")) {
        this.at += 2;
        const closed = this.take(this.name);
        this.take(SPACE);
        if (closed !== qualified || !this.starts(">")) throw refuse("has elements that do not close in order.");
        this.at += 1;
        return children;
      } else children.push(this.element(scope, depth + 1));
    }
  }
}

const isDeclaration = (name: string): boolean => name === "xmlns" || name.startsWith("xmlns:");

/** The prefixes that hold within an element. */
function scopeOf(outer: Scope, attributes: Tag["attributes"], longest: number): Scope {
  const declarations = attributes.filter(([name]) => isDeclaration(name));
  if (declarations.length === 0) return outer;
  const declared = new Map<string, string>();
  for (const [name, value] of declarations) {
    const prefix = name.slice(6);
    const isReserved = prefix === "xml" || prefix === "xmlns" || [XML_NAMESPACE, XMLNS_NAMESPACE].includes(value);
    if (isReserved || (prefix !== "" && value === "")) throw refuse("declares a name that XML keeps for itself.");
    if (value.length > longest) throw refuse(`has a namespace of more than ${longest} letters.`);
    declared.set(prefix, value);
  }
  return { declared, outer, count: outer.count + declared.size };
}

function resolve(scope: Scope, qualified: string, isElement: boolean): [namespace: string, name: string] {
  const colon = qualified.indexOf(":");
  const prefix = qualified.slice(0, Math.max(colon, 0));
  if (colon < 0 && !isElement) return ["", qualified];
  const namespace = namespaceOf(scope, prefix);
  if (namespace === undefined && colon >= 0)
    throw refuse(`uses the prefix ${prefix.slice(0, 40)} without declaring it.`);
  return [namespace ?? "", qualified.slice(colon + 1)];
}

function plainAttributes(scope: Scope, attributes: Tag["attributes"]): XmlAttribute[] {
  if (new Set(attributes.map(([name]) => name)).size < attributes.length) throw refuse("has an attribute twice.");
  const plain = attributes
    .filter(([name]) => !isDeclaration(name))
    .map(([qualified, value]) => {
      const [namespace, name] = resolve(scope, qualified, false);
      return { namespace, name, value };
    });
  if (new Set(plain.map(({ namespace, name }) => `${namespace} ${name}`)).size < plain.length)
    throw refuse("has an attribute twice.");
  return plain;
}

/**
 * Reads a document of the part of XML that all readers take for the same: no DOCTYPE, entities of its own, CDATA, instructions
 * nor comments, unless told; names in plain letters; bounded in depth and number. Throws XmlRefused.
 */
export function readXml(text: string, rules: XmlRules = {}): XmlElement {
  if (NO_CHARACTER.test(text)) throw refuse("has a character that XML does not have.");
  return new Reader((rules.isLoose ? text.replace(/^\ufeff/, "") : text).replace(/\r\n?/g, "\n"), rules).document();
}

/** The text of an element as it stands, that of its children too. */
export const textOf = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");

/** The elements in one. */
export const elementsOf = (element: XmlElement): XmlElement[] =>
  element.children.filter((child): child is XmlElement => typeof child !== "string");

/** The elements of one name directly in one. */
export const childrenOf = (element: XmlElement, namespace: string, name: string): XmlElement[] =>
  elementsOf(element).filter((child) => child.namespace === namespace && child.name === name);

/** An attribute without prefix; null where it is missing. */
export const attributeOf = (element: XmlElement, name: string): string | null =>
  element.attributes.find((one) => one.namespace === "" && one.name === name)?.value ?? null;

/** An element and all that are in it, at any depth. */
export function* allOf(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of elementsOf(element)) yield* allOf(child);
}
