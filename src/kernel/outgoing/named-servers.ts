import type { Clock } from "../../lib/clock.ts";
import { parseAddress, parseCidr } from "./address.ts";
import { OutgoingError } from "./contract.ts";
import { toOutgoingError } from "./exchange.ts";
import { onAddresses, type Reach, vetAddress } from "./find-addresses.ts";
import { describeBlock } from "./ranges.ts";
import { parseTarget, type Target } from "./target.ts";

/** Networks of one's own: where servers that an admin names are usual, and places that others name are not. Link-local is none. */
const OWN_NETWORKS = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
].map(parseCidr);

/** Servers that an admin named, in one's own network or elsewhere; this program itself, link-local addresses and those of clouds never. */
export const reachNamed = (ownPorts: Iterable<number>): Reach => ({
  allowed: OWN_NETWORKS,
  allowedBy: "",
  ownPorts: new Set(ownPorts),
  isNamed: true,
});

/** Says why an address that an admin named is never called; null for one that may be. Asks nobody. */
export function findFault(url: string, ownPorts: Iterable<number>): string | null {
  try {
    const target = parseTarget(url);
    if (target.literal) vetAddress(reachNamed(ownPorts), target, target.literal, target.host);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Lets `call` try the vetted addresses of such a server, and none on the public internet without TLS. Throws OutgoingError. */
export const onNamed = <Result>(
  reach: Reach,
  target: Target,
  call: (address: string) => Promise<Result>,
): Promise<Result> =>
  onAddresses(reach, target, async (address) => {
    const parsed = parseAddress(address);
    // Names, passwords and data are not for everybody on the way.
    if (!target.isTls && parsed && !describeBlock(parsed, []))
      throw new OutgoingError("bad_url", `${target.host} is on the public internet: https:// is needed there.`);
    try {
      return await call(address);
    } catch (error) {
      throw toOutgoingError(error, target.isTls);
    }
  });

/** Ends what `call` waits for after `ms` by its signal. Throws OutgoingError: `timeout` then, else what went wrong with the connection. */
export async function within<Result>(
  clock: Pick<Clock, "after">,
  ms: number,
  { isTls, authority }: Pick<Target, "isTls" | "authority">,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const cancel = clock.after(ms, () => stop.abort());
  try {
    return await call(stop.signal);
  } catch (error) {
    if (stop.signal.aborted)
      throw new OutgoingError("timeout", `${authority} did not answer within ${ms / 1000} seconds.`);
    throw toOutgoingError(error, isTls);
  } finally {
    cancel();
  }
}
