const LINE_END = 10;
const BLANK = 32;
const TAB = 9;
const DOT = 46;
const ZERO = 48;
const NINE = 57;

/** Walks over what the kernel wrote, byte by byte where it lies: making strings of it takes longer than reading it. */
export interface Scanner {
  /** Starts anew on the first `length` bytes. */
  restart(length: number): void;
  /** The next whole number on this line; -1 when there is none. */
  number(): number;
  /** The next number with decimals on this line; -1 when there is none. */
  decimal(): number;
  /** Steps over `count` words and the blanks before them; false when the line ends first. */
  skipWords(count: number): boolean;
  /** The next word on this line; empty when there is none. */
  word(): string;
  /** Whether exactly these bytes come next as a word; steps over them if so. */
  takes(word: Uint8Array): boolean;
  /** Whether these bytes come next. */
  startsWith(prefix: Uint8Array): boolean;
  /** To the start of the next line; false at the end. */
  nextLine(): boolean;
}

/** A scanner of `bytes`. */
export function createScanner(bytes: Buffer, length = bytes.length): Scanner {
  let at = 0;
  let end = length;

  const isBlank = (byte: number | undefined): boolean => byte === BLANK || byte === TAB;
  const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

  function toDigit(): boolean {
    while (at < end) {
      const byte = bytes[at] ?? LINE_END;
      if (isDigit(byte)) return true;
      if (byte === LINE_END) return false;
      at += 1;
    }
    return false;
  }

  function digits(): number {
    let value = 0;
    while (at < end) {
      const byte = bytes[at] ?? LINE_END;
      if (!isDigit(byte)) break;
      value = value * 10 + (byte - ZERO);
      at += 1;
    }
    return value;
  }

  function skipBlanks(): void {
    while (at < end && isBlank(bytes[at])) at += 1;
  }

  /** To the end of the word; false when there is none. */
  function skipWord(): boolean {
    skipBlanks();
    const start = at;
    while (at < end && bytes[at] !== LINE_END && !isBlank(bytes[at])) at += 1;
    return at > start;
  }

  function startsWith(prefix: Uint8Array): boolean {
    if (at + prefix.length > end) return false;
    for (let index = 0; index < prefix.length; index++) if (bytes[at + index] !== prefix[index]) return false;
    return true;
  }

  return {
    restart(length) {
      at = 0;
      end = length;
    },
    number: () => (toDigit() ? digits() : -1),
    decimal() {
      if (!toDigit()) return -1;
      const whole = digits();
      if (at >= end || bytes[at] !== DOT) return whole;
      at += 1;
      const start = at;
      const fraction = digits();
      return whole + fraction / 10 ** (at - start);
    },
    skipWords(count) {
      for (let index = 0; index < count; index++) if (!skipWord()) return false;
      return true;
    },
    word() {
      skipBlanks();
      const start = at;
      return skipWord() ? bytes.toString("latin1", start, at) : "";
    },
    takes(word) {
      skipBlanks();
      const after = at + word.length;
      if (!startsWith(word) || (after < end && bytes[after] !== LINE_END && !isBlank(bytes[after]))) return false;
      at = after;
      return true;
    },
    startsWith,
    nextLine() {
      while (at < end && bytes[at] !== LINE_END) at += 1;
      at += 1;
      return at < end;
    },
  };
}

/** A scanner of a text, as a held file gives one. */
export function scanText(text: string): Scanner {
  return createScanner(Buffer.from(text, "latin1"));
}
