import { EngineFailure } from "./failure.ts";
import type { HttpReply } from "./http-client.ts";
import type { Range } from "./target.ts";

/** The header that asks for a piece of a file. */
export const rangeHeader = (range: Range | undefined): Record<string, string> =>
  range ? { range: `bytes=${range.at}-${range.at + range.length - 1}` } : {};

/** The file or the piece of it that was asked for. Throws `damaged` where it is shorter. */
export function pieceOf({ body }: HttpReply, name: string, range: Range | undefined): Uint8Array {
  if (!range) return body;
  if (body.length !== range.length) throw new EngineFailure("damaged", `${name} is shorter than it was.`);
  return body;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text of an XML document as it was meant. */
export const unescapeXml = (text: string): string =>
  text
    .replaceAll(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? "");

/** What stands in an element of a listing at most; a longer one is not of a repository. */
const MOST_ELEMENT = 4_096;

/**
 * The texts inside the elements of that name, whatever their prefix. It walks on only, so that a server which opens elements and
 * never ends them costs no more than one that does.
 */
export function* elementsOf(text: string, name: string): Generator<string> {
  const begin = new RegExp(`<(?:[\\w.-]{1,30}:)?${name}(?:\\s[^<>]{0,300})?>`, "g");
  const end = new RegExp(`</(?:[\\w.-]{1,30}:)?${name}\\s{0,10}>`, "g");
  while (begin.exec(text) !== null) {
    end.lastIndex = begin.lastIndex;
    const found = end.exec(text);
    if (found === null) return;
    if (found.index - begin.lastIndex <= MOST_ELEMENT) yield text.slice(begin.lastIndex, found.index);
    begin.lastIndex = end.lastIndex;
  }
}

/** The text of the first element of that name that holds nothing but text; empty where there is none. */
export function textIn(element: string, name: string): string {
  const found = new RegExp(`<(?:[\\w.-]{1,30}:)?${name}(?:\\s[^<>]{0,300})?>([^<]*)</`).exec(element)?.[1] ?? "";
  return unescapeXml(found.trim());
}

/** The number of bytes that an element of that name says; 0 where it says none. */
export function sizeIn(element: string, name: string): number {
  const said = textIn(element, name);
  return /^\d{1,15}$/.test(said) ? Number(said) : 0;
}

/** More files than that are in no repository: a listing of them would fill the memory. */
const MOST_ENTRIES = 1_000_000;
/** As many folders: packs lie in 256 of them. Each is a question to the target. */
const MOST_FOLDERS = 10_000;

/** What goes on and on is none of a repository. */
export const withoutEnd = (): EngineFailure =>
  new EngineFailure("target_refused", "The listing of the target has no end.");

/** Throws `target_refused` where a listing goes on and on; `count` is of all that it names, `folders` of those among them. */
export function checkCount(count: number, folders = 0): void {
  if (count > MOST_ENTRIES || folders > MOST_FOLDERS) throw withoutEnd();
}
