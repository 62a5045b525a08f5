import type { IncomingMessage } from "node:http";
import { S3Problem } from "./problem.ts";

/** A request as it came, taken apart without changing a byte: signatures are over what was sent. */
export interface Wire {
  method: string;
  /** Path with every byte that is not plain escaped once. */
  canonicalPath: string;
  /** Names and values, unescaped. */
  query: readonly (readonly [string, string])[];
  /** By small names; the bytes of a header as Latin-1, several of one name with commas between. */
  headers: ReadonlyMap<string, string>;
  bucket: string | null;
  key: Uint8Array | null;
  ip: string;
}

const PLAIN = /[A-Za-z0-9\-._~]/;
const plainBytes = Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte);
  return byte < 128 && PLAIN.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
});

/** Bytes as signatures write them; slashes stay in paths. */
export function escapeBytes(bytes: Uint8Array, keepsSlash: boolean): string {
  let text = "";
  for (const byte of bytes) text += keepsSlash && byte === 0x2f ? "/" : plainBytes[byte];
  return text;
}

/** The bytes behind percent signs; anything else stands for itself. */
export function unescapeBytes(text: string): Uint8Array {
  const source = Buffer.from(text, "latin1");
  if (!text.includes("%")) return new Uint8Array(source);
  const bytes = new Uint8Array(source.length);
  let length = 0;
  for (let index = 0; index < source.length; index += 1) {
    const byte = source[index] ?? 0;
    const hex = byte === 0x25 ? text.slice(index + 1, index + 3) : "";
    if (byte === 0x25 && !/^[0-9a-fA-F]{2}$/.test(hex)) throw new S3Problem("InvalidURI");
    bytes[length] = byte === 0x25 ? Number.parseInt(hex, 16) : byte;
    length += 1;
    if (byte === 0x25) index += 2;
  }
  return bytes.slice(0, length);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Bytes as text. Throws InvalidURI for what is not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new S3Problem("InvalidURI", "Names must be UTF-8.");
  }
}

function readQuery(text: string): (readonly [string, string])[] {
  return text
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      const [name, value] = at === -1 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
      return [decodeText(unescapeBytes(name)), decodeText(unescapeBytes(value))] as const;
    });
}

function readHeaders(raw: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    const value = raw[index + 1] ?? "";
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

/** Takes a request apart. Throws InvalidURI and KeyTooLongError. */
export function readWire(request: IncomingMessage, maxKeyBytes: number): Wire {
  const url = request.url ?? "/";
  const at = url.indexOf("?");
  const path = unescapeBytes(at === -1 ? url : url.slice(0, at));
  const slash = path.indexOf(0x2f, 1);
  const bucket = decodeText(path.slice(1, slash === -1 ? path.length : slash));
  const key = slash === -1 || slash + 1 === path.length ? null : path.slice(slash + 1);
  if (path[0] !== 0x2f) throw new S3Problem("InvalidURI");
  if (key !== null) decodeText(key);
  if (key !== null && key.length > maxKeyBytes) throw new S3Problem("KeyTooLongError");
  return {
    method: request.method ?? "GET",
    canonicalPath: escapeBytes(path, true),
    query: at === -1 ? [] : readQuery(url.slice(at + 1)),
    headers: readHeaders(request.rawHeaders),
    bucket: bucket === "" ? null : bucket,
    key,
    ip: request.socket.remoteAddress ?? "",
  };
}

/** The value of a query parameter; null where it is not there. */
export const param = ({ query }: Pick<Wire, "query">, name: string): string | null =>
  query.length === 0 ? null : (query.find(([known]) => known === name)?.[1] ?? null);

/** The value of a header, as its bytes are in Latin-1. */
export const header = ({ headers }: Pick<Wire, "headers">, name: string): string | null => headers.get(name) ?? null;
