import { damaged } from "./failure.ts";

const LETTERS: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  "\\": 92,
  "'": 39,
  '"': 34,
};
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abtnvfr\\'"]))/y;
const MOST_NAME = 4096;

/** A name as restic writes it, in the quoting of Go's strings, as the bytes that it was. Throws `restic_damaged`. */
export function unquoteName(quoted: string): Buffer {
  if (!quoted.includes("\\")) return Buffer.from(quoted);
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = quoted.indexOf("\\"); at !== -1; at = quoted.indexOf("\\", from)) {
    parts.push(Buffer.from(quoted.slice(from, at)));
    ESCAPE.lastIndex = at;
    const found = ESCAPE.exec(quoted);
    if (found === null) throw damaged("A name in it is quoted wrong");
    const [whole, byte, short, long, octal, letter] = found;
    const point = short ?? long;
    if (point !== undefined) {
      const code = Number.parseInt(point, 16);
      if (code > 0x10ffff) throw damaged("A name in it is quoted wrong");
      parts.push(Buffer.from(String.fromCodePoint(code)));
    } else if (letter !== undefined) parts.push(Buffer.of(LETTERS[letter] ?? 0));
    else parts.push(Buffer.of(byte === undefined ? Number.parseInt(octal ?? "0", 8) : Number.parseInt(byte, 16)));
    from = at + whole.length;
  }
  parts.push(Buffer.from(quoted.slice(from)));
  return Buffer.concat(parts);
}

/** Throws `restic_damaged` for a name that would lead somewhere else. */
export function assertPlain(name: Buffer): void {
  const text = name.toString("latin1");
  if (text === "" || text === "." || text === ".." || /[/\0]/.test(text) || name.length > MOST_NAME)
    throw damaged("A name in it leads out of its folder");
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A name as people read and ask for it: what is no text keeps the quoting. */
export function shownName(name: Buffer, quoted: string): string {
  try {
    return decoder.decode(name);
  } catch {
    return quoted;
  }
}
