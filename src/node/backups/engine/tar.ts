import { EngineFailure } from "./failure.ts";

const BLOCK = 512;
const MOST_EXTENSION_BYTES = 1024 * 1024;
const MOST_LINKS = 1_000_000;

/** What stands in a tar archive, and where. */
export interface TarEntry {
  /** Without slashes at its ends; the top is empty. */
  path: string;
  kind: "file" | "folder" | "link" | "twin" | "other";
  /** Bytes of what it holds. */
  size: number;
  /** Seconds since 1970. */
  mtime: number;
  mode: number;
  /** Where a link leads; of a twin, the path of the file that it is another name of. */
  link: string | null;
  /** Where its headers begin, where its content does, and where the next entry does. */
  at: number;
  data: number;
  end: number;
}

/** Reads an archive as it comes. */
export interface TarReader {
  /** The entries whose headers are complete now. Throws `damaged`. */
  push(bytes: Uint8Array): TarEntry[];
  /** Throws `damaged` where it ended in the middle. */
  end(): void;
}

const damaged = (what: string) => new EngineFailure("damaged", `An archive of files is damaged: ${what}.`);

const decoder = new TextDecoder();

function textOf(block: Uint8Array, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return decoder.decode(end === -1 ? field : field.subarray(0, end));
}

/** Octal digits, or a big number after a set first bit. */
function numberOf(block: Uint8Array, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) !== 0)
    return block.subarray(at + 1, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
  const digits = textOf(block, at, length).trim();
  const value = digits === "" ? 0 : Number.parseInt(digits, 8);
  if (!Number.isSafeInteger(value)) throw damaged("a number is none");
  return value;
}

/** The sum of a header's bytes, its own field counted as spaces. */
export const sumOf = (block: Uint8Array): number =>
  block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);

/** The records of an extended header. */
export function readRecords(body: Uint8Array): Map<string, Uint8Array> {
  const records = new Map<string, Uint8Array>();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(32, at);
    const length = space === -1 ? 0 : Number(decoder.decode(body.subarray(at, space)));
    const record = body.subarray(space + 1, at + length - 1);
    const equals = record.indexOf(61);
    if (!Number.isSafeInteger(length) || length <= 0 || at + length > body.length || equals === -1)
      throw damaged("a long header");
    records.set(decoder.decode(record.subarray(0, equals)), record.subarray(equals + 1));
    at += length;
  }
  return records;
}

const KINDS: Readonly<Record<string, TarEntry["kind"]>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "1": "twin",
  "2": "link",
  "5": "folder",
};

/** A name in the archive as a path. Throws `damaged` for one that leads out. */
function pathOf(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (name.startsWith("/") || parts.includes("..") || name.includes("\0")) throw damaged("a name leads out of it");
  return parts.join("/");
}

/** Begins to read an archive whose names lie below `root`. */
export function createTarReader(root: string): TarReader {
  let held: Uint8Array = new Uint8Array(0);
  /** Where `held` begins. */
  let position = 0;
  let skip = 0;
  let isOver = false;
  let begun: number | null = null;
  let extended = new Map<string, string>();
  let waiting: { type: string; size: number } | null = null;
  const links = new Set<number | bigint>();

  /** What lies below a link lies wherever that leads. Only the first so many links are known: where it is unpacked is closed as well. */
  function assertPlain(path: string): void {
    if (links.size === 0) return;
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      if (links.has(Bun.hash(path.slice(0, at)))) throw damaged("a name lies behind a link");
  }

  const below = (name: string): string => {
    const path = pathOf(name);
    if (path === root) return "";
    if (!path.startsWith(`${root}/`)) throw damaged("a name lies elsewhere");
    return path.slice(root.length + 1);
  };

  function extend(type: string, body: Uint8Array): void {
    if (type === "L") extended.set("path", textOf(body, 0, body.length));
    else if (type === "K") extended.set("linkpath", textOf(body, 0, body.length));
    else if (type === "x") for (const [key, value] of readRecords(body)) extended.set(key, decoder.decode(value));
  }

  function entryOf(block: Uint8Array, type: string): TarEntry {
    const prefix = textOf(block, 257, 5) === "ustar" && block[263] === 48 ? textOf(block, 345, 155) : "";
    const short = textOf(block, 0, 100);
    const name = extended.get("path") ?? (prefix === "" ? short : `${prefix}/${short}`);
    const kind = KINDS[type] ?? "other";
    const size = kind === "file" ? Number(extended.get("size") ?? numberOf(block, 124, 12)) : 0;
    if (!Number.isSafeInteger(size) || size < 0) throw damaged("a size is none");
    const target = extended.get("linkpath") ?? textOf(block, 157, 100);
    const data = position + BLOCK;
    const path = below(name);
    assertPlain(path);
    if (kind === "link" && links.size < MOST_LINKS) links.add(Bun.hash(path));
    return {
      path,
      kind,
      size,
      mtime: Math.floor(Number(extended.get("mtime") ?? numberOf(block, 136, 12))),
      mode: numberOf(block, 100, 8) & 0o7777,
      link: kind === "twin" ? below(target) : kind === "link" ? target : null,
      at: begun ?? position,
      data,
      end: data + Math.ceil(size / BLOCK) * BLOCK,
    };
  }

  /** Takes bytes off the front; null while there are too few. */
  function take(length: number): Uint8Array | null {
    if (held.length < length) return null;
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  }

  /** One step; false when more bytes are needed. */
  function step(entries: TarEntry[]): boolean {
    if (skip > 0) {
      const length = Math.min(skip, held.length);
      held = held.subarray(length);
      position += length;
      skip -= length;
      return skip === 0;
    }
    if (waiting) {
      const padded = Math.ceil(waiting.size / BLOCK) * BLOCK;
      const body = take(padded);
      if (!body) return false;
      extend(waiting.type, body.subarray(0, waiting.size));
      position += padded;
      waiting = null;
      return true;
    }
    const block = take(BLOCK);
    if (!block) return false;
    if (block.every((byte) => byte === 0)) {
      isOver = true;
      return false;
    }
    if (sumOf(block) !== numberOf(block, 148, 8)) throw damaged("a header has another sum");
    const type = String.fromCharCode(block[156] ?? 0);
    if ("xgLK".includes(type)) {
      const size = numberOf(block, 124, 12);
      if (size > MOST_EXTENSION_BYTES) throw damaged("a long header is too long");
      begun ??= position;
      waiting = { type, size };
      position += BLOCK;
      return true;
    }
    const entry = entryOf(block, type);
    entries.push(entry);
    position = entry.data;
    skip = entry.end - entry.data;
    begun = null;
    extended = new Map();
    return true;
  }

  return {
    push(bytes) {
      const entries: TarEntry[] = [];
      if (isOver) return entries;
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      while (step(entries));
      return entries;
    },
    end() {
      if (!isOver && (skip > 0 || waiting !== null || begun !== null || held.length > 0))
        throw damaged("it ends too soon");
    },
  };
}

const record = (key: string, value: Uint8Array): Uint8Array => {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from("\n")]);
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
};

const sealed = (block: Uint8Array): Uint8Array => {
  block.set(Buffer.from(`${sumOf(block).toString(8).padStart(6, "0")}\0 `), 148);
  return block;
};

const padded = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);

/**
 * The headers of an entry with another name, and for a twin as the file that it is; owners, modes, times and attributes stay.
 * `name` is the whole name in the archive.
 */
export function renameHeaders(headers: Uint8Array, name: string, asFile: { size: number } | null): Uint8Array {
  const records = new Map<string, Uint8Array>();
  let at = 0;
  for (; at < headers.length - BLOCK; ) {
    const type = String.fromCharCode(headers[at + 156] ?? 0);
    const size = numberOf(headers.subarray(at, at + BLOCK), 124, 12);
    const body = headers.subarray(at + BLOCK, at + BLOCK + size);
    if (type === "x") for (const [key, value] of readRecords(body)) records.set(key, value);
    if (type === "K") records.set("linkpath", Buffer.from(textOf(body, 0, body.length)));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  records.set("path", Buffer.from(name));
  const main = new Uint8Array(headers.subarray(at, at + BLOCK));
  main.fill(0, 0, 100);
  main.set(Buffer.from("renamed"), 0);
  main.fill(0, 345, 500);
  if (asFile) {
    main[156] = 48;
    main.fill(0, 157, 257);
    records.delete("linkpath");
    records.set("size", Buffer.from(String(asFile.size)));
  }
  main.set(Buffer.from("ustar\x0000"), 257);
  return withRecords(records, main);
}

/** A header and what does not fit into it. */
function withRecords(records: ReadonlyMap<string, Uint8Array>, main: Uint8Array): Uint8Array {
  const body = Buffer.concat([...records].map(([key, value]) => record(key, value)));
  const extension = new Uint8Array(BLOCK);
  extension.set(Buffer.from("extended"), 0);
  extension.set(Buffer.from("0000644\0"), 100);
  extension.set(Buffer.from("0000000\x000000000\0"), 108);
  extension.set(Buffer.from(`${body.length.toString(8).padStart(11, "0")}\0`), 124);
  extension.set(Buffer.from("00000000000\0"), 136);
  extension[156] = 120;
  extension.set(Buffer.from("ustar\x0000"), 257);
  return Buffer.concat([sealed(extension), padded(body), sealed(main)]);
}

/** The headers of a plain file of root's that everybody may read. */
export function fileHeaders(name: string, size: number): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(Buffer.from("0000644\x000000000\x000000000\x0000000000000\x0000000000000\0"), 100);
  return renameHeaders(block, name, { size });
}

/** An entry that is put together anew. */
export interface FreshEntry {
  type: "file" | "folder" | "link" | "twin";
  /** The whole name in the archive; bytes that are no text stay what they are. */
  name: Uint8Array;
  /** Where a link leads, or the name of the file that it is another name of. */
  link: Uint8Array | null;
  size: number;
  mode: number;
  uid: number;
  gid: number;
  /** Seconds since 1970, as a decimal number. */
  time: string;
  attributes: readonly { name: string; value: Uint8Array }[];
}

const TYPES: Readonly<Record<FreshEntry["type"], string>> = { file: "0", twin: "1", link: "2", folder: "5" };

/** The headers of an entry. */
export function entryHeaders({ type, name, link, size, mode, uid, gid, time, attributes }: FreshEntry): Uint8Array {
  const records = new Map<string, Uint8Array>([
    ["path", name],
    ["uid", Buffer.from(String(uid))],
    ["gid", Buffer.from(String(gid))],
    ["mtime", Buffer.from(time)],
    ["size", Buffer.from(String(size))],
    ...attributes.map((one) => [`SCHILY.xattr.${one.name}`, one.value] as const),
  ]);
  if (link !== null) records.set("linkpath", link);
  const main = new Uint8Array(BLOCK);
  main.set(Buffer.from("named above"));
  main.set(Buffer.from(`${(mode & 0o7777).toString(8).padStart(7, "0")}\0`), 100);
  main.set(Buffer.from("0000000\x000000000\x0000000000000\x0000000000000\0"), 108);
  main[156] = TYPES[type].charCodeAt(0);
  main.set(Buffer.from("ustar\x0000"), 257);
  return withRecords(records, main);
}

/** What ends an archive. */
export const tarEnd = (): Uint8Array => new Uint8Array(2 * BLOCK);
