import { type Cidr, isWithin, overlaps, parseCidr } from "../../../kernel/outgoing/address.ts";
import type { ReachedRange } from "../../machine/index.ts";
import { BRIDGE_OPTION, type ComposeProject } from "../compose/index.ts";
import type { NetworkSummary } from "../runtime/index.ts";
import { networkNameOf } from "./container-request.ts";
import type { PlanDanger } from "./contract.ts";

/** Addresses that are anybody's to use behind their own server. */
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"].map(parseCidr);
/** Where clouds hand out credentials, also among private ones, and what holds on one link only. */
const METADATA = ["169.254.0.0/16", "100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::254/128", "fe80::/10"].map(
  parseCidr,
);

const isPrivate = (block: Cidr): boolean => PRIVATE.some((range) => block.bits >= range.bits && isWithin(block, range));

/** Whether Docker made the route or the address itself, for a network that it has: it keeps its own networks apart. */
const isOfNetwork =
  ({ by, range }: ReachedRange) =>
  ({ Id, Name, Options, IPAM }: NetworkSummary): boolean =>
    by !== null &&
    [Options?.[BRIDGE_OPTION], `br-${Id.slice(0, 12)}`, Name === "bridge" ? "docker0" : undefined].includes(by) &&
    // Networks of other drivers may have none.
    (IPAM?.Config ?? []).some(({ Subnet = "" }) => Subnet !== "" && isWithin(parseCidr(range), parseCidr(Subnet)));

/** What a network with these addresses takes from the server; null for a block that is nobody's yet. */
function describeTaking(block: Cidr, reached: readonly ReachedRange[]): string | null {
  const where = "in place of who has them now";
  if (METADATA.some((range) => overlaps(block, range)))
    return `where clouds hand out credentials: its containers can answer this server and all others ${where}`;
  const taken = reached.find(({ range }) => overlaps(block, parseCidr(range)));
  if (taken?.by === null)
    return `in which ${taken.range} lies, whom this server asks for names: its containers can answer ${where}`;
  if (taken) return `which this server reaches by ${taken.by}: its containers can answer it ${where}`;
  return isPrivate(block) ? null : `which are of the Internet: its containers can answer this server ${where}`;
}

/**
 * Networks whose addresses are others' already, with what that means. Docker looks only at its own networks, and from then on the whole
 * server reaches those addresses in the network.
 */
export function listTakenAddresses(
  target: { name: string; project: ComposeProject },
  networks: readonly NetworkSummary[],
  reached: readonly ReachedRange[],
): PlanDanger[] {
  const others = reached.filter((each) => !networks.some(isOfNetwork(each)));
  return target.project.networks.flatMap((spec) =>
    spec.subnets.flatMap(({ subnet }): PlanDanger[] => {
      const what = describeTaking(parseCidr(subnet), others);
      if (what === null) return [];
      const text = `The network ${networkNameOf(target, spec.name)} takes the addresses ${subnet}, ${what}.`;
      return [{ id: `${spec.name}/taken_addresses:${subnet}`, service: "", text }];
    }),
  );
}
