import { parseAddress, parseCidr } from "../../../../kernel/outgoing/address.ts";
import { findAddresses, type Reach, vetAddress } from "../../../../kernel/outgoing/find-addresses.ts";

/**
 * Collectors on this machine and its network are the ordinary case, and only admins name them. Link-local, cloud metadata and
 * multicast addresses are refused all the same, and so is this program itself.
 */
export const ANYWHERE = [parseCidr("0.0.0.0/0"), parseCidr("::/0")];

interface Place {
  host: string;
  port: number;
}

const reachOf = (ownPorts: ReadonlySet<number>): Reach => ({ allowed: ANYWHERE, allowedBy: "", ownPorts });

function targetOf({ host, port }: Place) {
  const name = host.replace(/\.$/, "").toLowerCase();
  const isLocal = name === "localhost" || name.endsWith(".localhost");
  const literal = parseAddress(isLocal ? "127.0.0.1" : name);
  return { isTls: false, host: name, literal, port, path: "", authority: name };
}

/** Throws OutgoingError `blocked_address` for a literal address that is never called; asks nobody. */
export function checkPlace(ownPorts: ReadonlySet<number>, place: Place): void {
  const target = targetOf(place);
  if (target.literal) vetAddress(reachOf(ownPorts), target, target.literal, target.host);
}

/** The addresses of a place to try in turn, all of them vetted. Throws OutgoingError. */
export const findPlace = (ownPorts: ReadonlySet<number>, place: Place): Promise<string[]> =>
  findAddresses(reachOf(ownPorts), targetOf(place));
