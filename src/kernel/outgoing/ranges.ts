import { ownAddresses } from "../host/addresses.ts";
import { type Address, type Cidr, embeddedAddresses, isWithin, parseAddress, parseCidr } from "./address.ts";

type Named = readonly [range: Cidr, what: string];
const named = (entries: Record<string, string>): Named[] =>
  Object.entries(entries).map(([range, what]) => [parseCidr(range), what]);

/** Never reached, whatever is allowed: cloud metadata, the link itself, many at once. */
const NEVER = named({
  "169.254.0.0/16": "a link-local address, where clouds hand out credentials",
  "100.100.100.200/32": "a cloud's metadata address",
  "fd00:ec2::254/128": "a cloud's metadata address",
  "fe80::/10": "a link-local address",
  "224.0.0.0/4": "a multicast address",
  "255.255.255.255/32": "the broadcast address",
  "ff00::/8": "a multicast address",
});

/** Not on the public internet (IANA special-purpose registries); reached only where allowed. */
const PRIVATE = named({
  "0.0.0.0/8": "an address of this machine",
  "127.0.0.0/8": "an address of this machine",
  "10.0.0.0/8": "a private address",
  "172.16.0.0/12": "a private address",
  "192.168.0.0/16": "a private address",
  "100.64.0.0/10": "a carrier's private address",
  "192.0.0.0/24": "a reserved address",
  "192.0.2.0/24": "an address for documentation",
  "192.88.99.0/24": "a relay address",
  "198.18.0.0/15": "an address for measurements",
  "198.51.100.0/24": "an address for documentation",
  "203.0.113.0/24": "an address for documentation",
  "240.0.0.0/4": "a reserved address",
  "::1/128": "an address of this machine",
  "::/128": "an address of this machine",
  "fc00::/7": "a private address",
  "64:ff9b::/96": "an address translated to IPv4",
  "64:ff9b:1::/48": "an address translated to IPv4",
  "2001::/23": "a reserved address",
  "2001:db8::/32": "an address for documentation",
  "2002::/16": "an address translated to IPv4",
  "3fff::/20": "an address for documentation",
});

/** Everything of IPv6 that has been given to the public internet. */
const GLOBAL_V6 = parseCidr("2000::/3");
const LOOPBACK = [parseCidr("127.0.0.0/8"), parseCidr("0.0.0.0/8"), parseCidr("::1/128"), parseCidr("::/128")];

const find = (list: readonly Named[], address: Address): string | null =>
  list.find(([range]) => isWithin(address, range))?.[1] ?? null;

/** What is wrong with connecting to this address ("a private address", …), or null when nothing is. */
export function describeBlock(address: Address, allowed: readonly Cidr[]): { what: string; canAllow: boolean } | null {
  const never = [address, ...embeddedAddresses(address)].flatMap((each) => find(NEVER, each) ?? []);
  if (never[0] !== undefined) return { what: never[0], canAllow: false };
  if (allowed.some((range) => isWithin(address, range))) return null;
  const isUnknownV6 = address.family === 6 && !isWithin(address, GLOBAL_V6);
  const what = find(PRIVATE, address) ?? (isUnknownV6 ? "a reserved address" : null);
  return what === null ? null : { what, canAllow: true };
}

/** True for an address of the public internet; false for text that is none. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && describeBlock(address, []) === null;
}

/** True for addresses that lead to this machine itself. */
export function isOwnAddress(address: Address): boolean {
  const own = ownAddresses();
  return [address, ...embeddedAddresses(address)].some(
    (each) =>
      LOOPBACK.some((range) => isWithin(each, range)) ||
      own.some((entry) => {
        const mine = parseAddress(entry.address);
        return mine?.family === each.family && mine.value === each.value;
      }),
  );
}
