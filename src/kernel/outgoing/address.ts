import { isIPv4, isIPv6 } from "node:net";

/** An IP address as a number, so that its spelling does not matter. */
export interface Address {
  family: 4 | 6;
  value: bigint;
}

/** All addresses whose first `bits` bits are those of `base`. */
export interface Cidr extends Address {
  bits: number;
}

const WIDTH = { 4: 32, 6: 128 } as const;
const MAPPED_V4 = 0xffffn;

function parseV4(text: string): bigint {
  return text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

/** The sixteen-bit groups of one side of `::`. */
function parseGroups(text: string): bigint[] {
  if (text === "") return [];
  return text.split(":").flatMap((part) => {
    if (!part.includes(".")) return [BigInt(`0x${part}`)];
    const v4 = parseV4(part);
    return [v4 >> 16n, v4 & 0xffffn];
  });
}

function parseV6(text: string): bigint {
  const [left = "", right] = text.split("::");
  const head = parseGroups(left);
  const tail = right === undefined ? [] : parseGroups(right);
  const gap = right === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<bigint>(gap).fill(0n), ...tail];
  return groups.reduce((sum, group) => sum * 65_536n + group, 0n);
}

/** Reads an address as text, without brackets; null when it is none. `::ffff:a.b.c.d` is the IPv4 address it means. */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, value: parseV4(text) };
  const plain = text.split("%", 1)[0] ?? "";
  if (!isIPv6(plain)) return null;
  const value = parseV6(plain);
  if (value >> 32n === MAPPED_V4) return { family: 4, value: value & 0xffff_ffffn };
  return { family: 6, value };
}

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address. Throws an Error that says what is wrong. */
export function parseCidr(text: string): Cidr {
  const [base = "", length, ...rest] = text.split("/");
  const isV6 = base.includes(":");
  const address = isV6 && isIPv6(base) ? { family: 6 as const, value: parseV6(base) } : parseAddress(base);
  const width = address ? WIDTH[address.family] : 0;
  const bits = length === undefined ? width : Number(length);
  if (!address || rest.length > 0 || length === "" || !Number.isInteger(bits) || bits < 0 || bits > width) {
    throw new Error(`${text} is not a range like 192.168.0.0/16 or fd00::/8`);
  }
  return { ...address, bits };
}

/** True when the address is in the range. */
export function isWithin(address: Address, range: Cidr): boolean {
  if (address.family !== range.family) return false;
  const rest = BigInt(WIDTH[range.family] - range.bits);
  return address.value >> rest === range.value >> rest;
}

/** True when some address is in both. */
export const overlaps = (one: Cidr, other: Cidr): boolean => isWithin(one, other) || isWithin(other, one);

const low32 = (value: bigint): bigint => value & 0xffff_ffffn;
const in6 = (value: bigint, range: string): boolean => isWithin({ family: 6, value }, parseCidr(range));

/** The IPv4 addresses that an IPv6 address of a transition mechanism leads to (NAT64, 6to4, Teredo, ISATAP, …). */
export function embeddedAddresses({ family, value }: Address): Address[] {
  if (family === 4) return [];
  const found: bigint[] = [];
  const carriesAtEnd = ["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"];
  if (carriesAtEnd.some((range) => in6(value, range))) found.push(low32(value));
  if (in6(value, "2002::/16")) found.push(low32(value >> 80n));
  if (in6(value, "2001::/32")) found.push(low32(value >> 64n), low32(value) ^ 0xffff_ffffn);
  if (((value >> 32n) & 0xfdff_ffffn) === 0x5efen) found.push(low32(value));
  return found.map((v4) => ({ family: 4, value: v4 }));
}
