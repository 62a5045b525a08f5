import { type LookUp, lookUp } from "../names/index.ts";
import { parseAddress } from "./address.ts";
import { describeBlock } from "./ranges.ts";

/**
 * What is wrong with a host that another program is to call for us, or null: whether it is off the public internet ("a private
 * address", …), and whether that can be allowed; the worst of its addresses. A name that is not found is left to that program to
 * tell. It looks the name up again by itself, so this stops mistakes and simple attempts, and not whoever changes a name's address
 * in between.
 */
export async function describeHost(
  host: string,
  resolve: LookUp = lookUp,
): Promise<{ what: string; canAllow: boolean } | null> {
  const literal = parseAddress(host);
  const addresses = literal ? [literal] : (await resolve(host).catch(() => [])).map(parseAddress);
  const blocks = addresses.flatMap((address) => (address && describeBlock(address, [])) ?? []);
  return blocks.find(({ canAllow }) => !canAllow) ?? blocks[0] ?? null;
}

/** What is wrong with a host that nothing of ours may ever call ("a link-local address, …"), or null; private networks are allowed. */
export async function describeForbiddenHost(host: string, resolve: LookUp = lookUp): Promise<string | null> {
  const block = await describeHost(host, resolve);
  return block === null || block.canAllow ? null : block.what;
}
