import { isIP } from "node:net";

const MAX_KNOWN_ADDRESSES = 1_000;
const knownAddresses = new Map<string, string | null>();

/**
 * An address in its one spelling (RFC 5952), without port, brackets, zone and IPv4-in-IPv6 form; null when it is none. The latest ones are remembered:
 * a client asks many times.
 */
export function plainAddress(text: string): string | null {
  const known = knownAddresses.get(text);
  if (known !== undefined) return known;
  const address = readAddress(text);
  // No address is longer; what a client makes up is not worth the memory.
  if (text.length > 64) return address;
  const oldest = knownAddresses.keys().next();
  if (knownAddresses.size >= MAX_KNOWN_ADDRESSES && !oldest.done) knownAddresses.delete(oldest.value);
  knownAddresses.set(text, address);
  return address;
}

function readAddress(text: string): string | null {
  const trimmed = text.trim().toLowerCase();
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  const withoutPort = /^(\d+(?:\.\d+){3}):\d+$/.exec(trimmed)?.[1];
  const address = (inBrackets ?? withoutPort ?? trimmed).replace(/%.*$/, "");
  if (isIP(address) !== 6) return isIP(address) === 0 ? null : address;
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain) ?? [];
  return high === undefined || low === undefined ? plain : [...bytesOf(high), ...bytesOf(low)].join(".");
}

/** The two bytes of a group of IPv6. */
function bytesOf(group: string): [high: number, low: number] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
