/** DER, the encoding of certificates: the few types that X.509 and PKCS #10 need, written and read strictly. */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag of `[number]`: constructed holds other values, primitive replaces the tag of one. */
export const contextTag = (number: number, shape: "constructed" | "primitive"): number =>
  (shape === "constructed" ? 0xa0 : 0x80) | number;

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

/** One value: tag, length, and the parts as its content. */
export function der(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.from([tag, ...lengthBytes(content.length)]), content]);
}

export const sequence = (...parts: Uint8Array[]): Uint8Array => der(TAG.sequence, ...parts);

/** An unsigned integer from its big-endian bytes, in its shortest form. */
export function unsigned(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const short = start < 0 ? Uint8Array.of(0) : bytes.subarray(start);
  // A leading one bit would read as a minus sign.
  return (short[0] ?? 0) >= 0x80 ? der(TAG.integer, Uint8Array.of(0), short) : der(TAG.integer, short);
}

/** An object identifier from its dotted text. */
export function oid(text: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left % 128) | 0x80);
    return digits;
  });
  return der(TAG.oid, Uint8Array.from(bytes));
}

/** A bit string whose last `unused` bits do not count. */
export const bitString = (bytes: Uint8Array, unused = 0): Uint8Array =>
  der(TAG.bitString, Uint8Array.of(unused), bytes);

export const utf8 = (text: string): Uint8Array => der(TAG.utf8, Buffer.from(text));

export const yes = (): Uint8Array => der(TAG.boolean, Uint8Array.of(0xff));

/** A moment in whole seconds, in the form that RFC 5280 asks for: two-digit years until 2049. */
export function moment(ms: number): Uint8Array {
  const digits = new Date(ms)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:T]/g, "");
  const isShort = digits < "2050";
  return der(isShort ? TAG.utcTime : TAG.generalTime, Buffer.from(isShort ? digits.slice(2) : digits));
}

/** One value as it was read. */
export interface DerValue {
  tag: number;
  content: Uint8Array;
  /** Tag, length and content, as they stood. */
  whole: Uint8Array;
}

/** Reads the value at the start of `bytes`. Throws an Error for anything but DER: long or open lengths, cut content. */
function readFirst(bytes: Uint8Array): DerValue {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) throw new Error("a value is cut short");
  if ((tag & 0x1f) === 0x1f) throw new Error("a tag is longer than one byte");
  let start = 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 3) throw new Error("a length is open or too long");
    if (bytes.length < 2 + count) throw new Error("a length is cut short");
    length = bytes.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0);
    start += count;
    if (lengthBytes(length).length !== 1 + count) throw new Error("a length is not in its shortest form");
  }
  if (bytes.length < start + length) throw new Error("content is cut short");
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(0, start + length) };
}

/** Reads bytes that are exactly one value. Throws an Error for anything else. */
export function readDer(bytes: Uint8Array): DerValue {
  const value = readFirst(bytes);
  if (value.whole.length !== bytes.length) throw new Error("bytes follow the value");
  return value;
}

/** The values inside one of type `tag`. Throws an Error when it is of another type or holds anything else. */
export function readParts(value: DerValue, tag: number): DerValue[] {
  if (value.tag !== tag) throw new Error(`a value has the type ${value.tag}, not ${tag}`);
  const parts: DerValue[] = [];
  for (let rest = value.content; rest.length > 0; ) {
    const part = readFirst(rest);
    parts.push(part);
    rest = rest.subarray(part.whole.length);
  }
  return parts;
}
