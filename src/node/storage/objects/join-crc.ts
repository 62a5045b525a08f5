import type { Algorithm } from "./checksums.ts";

/** The polynomials of the sums that can be joined, with their bits reflected, and how many those are. */
const POLYNOMIALS: Partial<Record<Algorithm, { polynomial: bigint; bits: bigint }>> = {
  crc32: { polynomial: 0xedb88320n, bits: 32n },
  crc32c: { polynomial: 0x82f63b78n, bits: 32n },
  crc64nvme: { polynomial: 0x9a6c9329ac4bc9b5n, bits: 64n },
};

/** The CRC of bytes that come one after the other, of the CRC and the size of each. Big-endian, as the sums are. */
export function joinCrc(algorithm: Algorithm, parts: readonly { bytes: Uint8Array; size: number }[]): Buffer {
  const field = POLYNOMIALS[algorithm];
  if (field === undefined) throw new Error(`${algorithm} cannot be joined`);
  const { polynomial, bits } = field;
  const one = 1n << (bits - 1n);

  /** Multiplies as polynomials; the highest bit is the number one. */
  function multiply(a: bigint, b: bigint): bigint {
    let product = 0n;
    let factor = b;
    for (let bit = one; bit > 0n; bit >>= 1n) {
      if ((a & bit) !== 0n) product ^= factor;
      factor = (factor & 1n) === 1n ? (factor >> 1n) ^ polynomial : factor >> 1n;
    }
    return product;
  }

  /** What a CRC is multiplied by where so many bytes come behind it. */
  const shifts = new Map<number, bigint>();
  function shiftOf(size: number): bigint {
    const known = shifts.get(size);
    if (known !== undefined) return known;
    let shift = one;
    let power = one >> 8n;
    for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) shift = multiply(shift, power);
      power = multiply(power, power);
    }
    shifts.set(size, shift);
    return shift;
  }

  let crc = 0n;
  for (const { bytes, size } of parts)
    crc = multiply(crc, shiftOf(size)) ^ BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  return Buffer.from(crc.toString(16).padStart(Number(bits / 4n), "0"), "hex");
}
