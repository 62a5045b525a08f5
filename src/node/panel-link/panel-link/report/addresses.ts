import { isIPv4 } from "node:net";
import { parseAddress } from "../../../../kernel/outgoing/address.ts";
import { describeBlock } from "../../../../kernel/outgoing/ranges.ts";

/** What is told of the addresses of a host. */
export interface HostAddresses {
  /** The one of the interface that leads out. */
  ip_address: string | null;
  /** One that is reachable from everywhere. */
  public_ip: string | null;
  ip_addresses: string[];
}

/** An interface as far as addresses go. */
interface Addressed {
  name: string;
  is_up: boolean;
  /** With the length of the prefix. */
  addresses: readonly string[];
}

/** Container networks can bring hundreds. */
const MAX_ADDRESSES = 32;
const LINK_LOCAL = /^(fe[89ab]|169\.254\.)/i;

/** The addresses of a host, the one of the way out first, IPv4 before IPv6. */
export function readAddresses(interfaces: readonly Addressed[], wayOut: string | null): HostAddresses {
  const addressesOf = (list: readonly Addressed[]) =>
    list
      .filter(({ is_up }) => is_up)
      .flatMap(({ addresses }) => addresses.map((address) => address.split("/", 1)[0] ?? ""))
      .filter((address) => address !== "" && !LINK_LOCAL.test(address))
      .sort((a, b) => Number(isIPv4(b)) - Number(isIPv4(a)));
  const first = addressesOf(interfaces.filter(({ name }) => name === wayOut));
  const rest = addressesOf(interfaces.filter(({ name }) => name !== wayOut));
  const all = [...new Set([...first, ...rest])].slice(0, MAX_ADDRESSES);
  return { ip_address: all[0] ?? null, public_ip: all.find(isPublic) ?? null, ip_addresses: all };
}

function isPublic(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && describeBlock(address, []) === null;
}
