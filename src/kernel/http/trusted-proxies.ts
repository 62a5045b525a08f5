import { type Cidr, isWithin, parseAddress, parseCidr } from "../outgoing/address.ts";
import { plainAddress } from "./plain-address.ts";

/** What each list has of networks; it is asked at every request. */
const networks = new WeakMap<readonly string[], Cidr[]>();

function networksOf(proxies: readonly string[]): Cidr[] {
  const known = networks.get(proxies);
  if (known) return known;
  const found = proxies.filter((one) => one.includes("/")).map(parseCidr);
  networks.set(proxies, found);
  return found;
}

/** True for an address, in whatever spelling, that is one of the trusted proxies or in one of their networks. */
export function isTrusted(proxies: readonly string[], text: string): boolean {
  if (proxies.length === 0) return false;
  const address = plainAddress(text);
  if (address === null) return false;
  if (proxies.includes(address)) return true;
  const wide = networksOf(proxies);
  const one = wide.length === 0 ? null : parseAddress(address);
  return one !== null && wide.some((network) => isWithin(one, network));
}

/** An address or a network as `isTrusted` compares it: IPv4 in IPv6 form is IPv4. Null for what is neither. */
export function readProxy(text: string): string | null {
  const [base = "", length, ...rest] = text.split("/");
  const address = plainAddress(base);
  if (address === null || length === undefined) return address;
  const isMapped = base.includes(":") && !address.includes(":");
  const bits = Number(length) - (isMapped ? 96 : 0);
  const most = address.includes(":") ? 128 : 32;
  return rest.length === 0 && /^\d{1,3}$/.test(length) && bits >= 0 && bits <= most ? `${address}/${bits}` : null;
}
