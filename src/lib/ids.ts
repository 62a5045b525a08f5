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

/** Writes the low `length` base-32 digits of `value`. */
function encode(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}

function toBigInt(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
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
  let lastTime = 0;
  let lastRandom = 0n;
  return {
    next(prefix) {
      const time = Math.max(now(), lastTime);
      lastRandom = time === lastTime ? lastRandom + 1n : toBigInt(crypto.getRandomValues(new Uint8Array(10)));
      lastTime = time;
      return `${prefix}_${encode(BigInt(time), 10)}${encode(lastRandom, 16)}`;
    },
    token: (bytes) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64url"),
    code: randomText,
  };
}
