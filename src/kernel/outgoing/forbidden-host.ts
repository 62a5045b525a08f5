import { parseAddress, parseCidr } from "./address.ts";
import { askSystem, type Resolve } from "./find-addresses.ts";
import { describeBlock } from "./ranges.ts";

/** Private networks included: what is asked for here is what nothing of ours may ever call. */
const EVERYWHERE = [parseCidr("0.0.0.0/0"), parseCidr("::/0")];

/**
 * What is wrong with a host that another program is to call for us ("a link-local address, …"), or null. A name that is not found is
 * left to that program to tell. It looks the name up again by itself, so this stops mistakes and simple attempts, and not whoever
 * changes a name's address in between.
 */
export async function describeForbiddenHost(host: string, resolve: Resolve = askSystem): Promise<string | null> {
  const literal = parseAddress(host);
  const addresses = literal ? [literal] : (await resolve(host).catch(() => [])).map(parseAddress);
  for (const address of addresses) {
    const block = address && describeBlock(address, EVERYWHERE);
    if (block) return block.what;
  }
  return null;
}
