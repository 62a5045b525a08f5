/** A sum that grows with the bytes. */
export interface Sum {
  add(bytes: Uint8Array): void;
  /** Big-endian bytes, as S3 writes them in base64. */
  digest(): Uint8Array;
}

export const ALGORITHMS = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** How many bytes a sum has. */
export const SUM_BYTES: Record<Algorithm, number> = { crc32: 4, crc32c: 4, crc64nvme: 8, sha1: 20, sha256: 32 };

/** What bytes are summed up by: MD5 is no checksum that S3 keeps, but what most etags are. */
export type Summed = Algorithm | "md5";

/** The algorithm of that name in any case; null for another. */
export const algorithmOf = (name: string): Algorithm | null =>
  ALGORITHMS.find((known) => known === name.toLowerCase()) ?? null;

function hashSum(algorithm: "md5" | "sha1" | "sha256"): Sum {
  const hasher = new Bun.CryptoHasher(algorithm);
  return { add: (bytes) => void hasher.update(bytes), digest: () => hasher.digest() };
}

function numberBytes(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function crc32Sum(): Sum {
  let value = 0;
  return {
    add(bytes) {
      value = Bun.hash.crc32(bytes, value);
    },
    digest: () => numberBytes(value),
  };
}

/** One step of a reflected sum for each byte. */
function makeTable(polynomial: bigint): { high: Uint32Array; low: Uint32Array } {
  const high = new Uint32Array(256);
  const low = new Uint32Array(256);
  for (let index = 0; index < 256; index += 1) {
    let value = BigInt(index);
    for (let bit = 0; bit < 8; bit += 1) value = (value & 1n) === 1n ? (value >> 1n) ^ polynomial : value >> 1n;
    high[index] = Number(value >> 32n);
    low[index] = Number(value & 0xffffffffn);
  }
  return { high, low };
}

let castagnoli: Uint32Array | null = null;
let nvme: { high: Uint32Array; low: Uint32Array } | null = null;

function crc32cSum(): Sum {
  castagnoli ??= makeTable(0x82f63b78n).low;
  const table = castagnoli;
  let value = 0xffffffff;
  return {
    add(bytes) {
      for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
    },
    digest: () => numberBytes(~value),
  };
}

function crc64Sum(): Sum {
  nvme ??= makeTable(0x9a6c9329ac4bc9b5n);
  const table = nvme;
  let high = 0xffffffff;
  let low = 0xffffffff;
  return {
    add(bytes) {
      for (const byte of bytes) {
        const index = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ (table.low[index] ?? 0);
        high = (high >>> 8) ^ (table.high[index] ?? 0);
      }
    },
    digest: () => Buffer.concat([numberBytes(~high), numberBytes(~low)]),
  };
}

/** A new sum of that kind. */
export function createSum(algorithm: Summed): Sum {
  if (algorithm === "crc32") return crc32Sum();
  if (algorithm === "crc32c") return crc32cSum();
  if (algorithm === "crc64nvme") return crc64Sum();
  return hashSum(algorithm);
}

/** Whether a sum is of the whole bytes, or of the sums of the parts that they came in, whose number it ends with. */
export const kindOfSum = (sum: string): "COMPOSITE" | "FULL_OBJECT" =>
  /-\d+$/.test(sum) ? "COMPOSITE" : "FULL_OBJECT";
