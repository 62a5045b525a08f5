/** Ids and secrets as a dependency. */
export interface Ids {
  /** A sortable opaque id such as `app_01K9…`: 48 bits of time, 80 random bits, Crockford base 32 (the ULID layout). */
  next(prefix: string): string;
  /** `bytes` random bytes as base64url, for tokens. */
  token(bytes: number): string;
  /** `length` random characters of `alphabet` (at most 256), each equally likely, for codes that people type. */
  code(length: number, alphabet: string): string;
}

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_DIGITS = 10;
const HEAD_DIGITS = 11;
const TAIL_DIGITS = 5;
/** How many numbers the tail can count. */
const TAIL_SIZE = 32 ** TAIL_DIGITS;

/** Writes the low `length` base-32 digits of a safe integer. */
function encode(value: number, length: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Random numbers, fetched many at a time: each call into the system's source costs more than an id itself. */
function createRandomSource(): () => number {
  const numbers = new Uint32Array(256);
  let at = numbers.length;
  return () => {
    if (at === numbers.length) {
      crypto.getRandomValues(numbers);
      at = 0;
    }
    const number = numbers[at] ?? 0;
    // Nobody who reads this memory later learns what an id was made of.
    numbers[at] = 0;
    at += 1;
    return number;
  };
}

/** Random characters without bias: bytes beyond the last whole multiple of the alphabet are thrown away. */
function randomText(length: number, alphabet: string): string {
  const usable = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    const byte = crypto.getRandomValues(new Uint8Array(1))[0] ?? 255;
    if (byte < usable) text += alphabet.charAt(byte % alphabet.length);
  }
  return text;
}

/** Ids from the system's random source; ids made in the same millisecond still sort in the order they were made. */
export function createIds(now: () => number): Ids {
  let lastTime = -1;
  /** Time and most random digits, the same for all ids of one millisecond; the tail counts up from a random number. */
  let head = "";
  let tail = 0;
  const random = createRandomSource();

  function begin(time: number): void {
    lastTime = time;
    // 55 bits from two numbers: six digits of the first, five of the second.
    head = encode(time, TIME_DIGITS) + encode(random() % 32 ** 6, 6) + encode(random() % TAIL_SIZE, HEAD_DIGITS - 6);
    tail = random() % TAIL_SIZE;
  }

  return {
    next(prefix) {
      const time = now();
      if (time > lastTime) begin(time);
      else if (++tail === TAIL_SIZE) begin(lastTime + 1);
      return `${prefix}_${head}${encode(tail, TAIL_DIGITS)}`;
    },
    token: (bytes) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64url"),
    code: randomText,
  };
}
