import { ownAddresses } from "../host/addresses.ts";

/** What the public internet has of IPv6 begins with 2 or 3. */
const GLOBAL_V6 = /^[23][0-9a-f]{3}:/i;

/**
 * Addresses in the order in which they are tried, one family after the other: whoever tries only the first few meets both. IPv6 first where
 * this machine is on the public internet by it, as the system would.
 */
export function turnFamilies(addresses: readonly string[]): string[] {
  const [four, six] = [false, true].map((isSix) => addresses.filter((one) => one.includes(":") === isSix));
  const isSixFirst = ownAddresses().some(({ address }) => GLOBAL_V6.test(address));
  const [first = [], second = []] = isSixFirst ? [six, four] : [four, six];
  const longest = Math.max(first.length, second.length);
  return Array.from({ length: longest }, (_, at) => [first[at], second[at]])
    .flat()
    .filter((one) => one !== undefined);
}
