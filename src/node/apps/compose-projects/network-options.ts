import type { Host } from "../../machine/index.ts";
import { BRIDGE_OPTION, type ComposeProject } from "../compose/index.ts";
import type { NetworkSummary } from "../runtime/index.ts";
import { networkNameOf } from "./container-request.ts";
import type { PlanDanger } from "./contract.ts";
import { PROJECT_LABEL } from "./labels.ts";

/** What is asked of the server. */
type Seen = Pick<Host, "findInterface" | "networkValue">;

const always = () => true;
const isBehindServer = (mode: string): boolean => mode === "nat" || mode === "isolated";
const isPlainName = (prefix: string): boolean => /^[\w.-]{0,15}$/.test(prefix);

/** Options that change nothing but the project's own network, each with the values for which that holds. */
const HARMLESS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["com.docker.network.bridge.enable_ip_masquerade", always],
  ["com.docker.network.bridge.gateway_mode_ipv4", isBehindServer],
  ["com.docker.network.bridge.gateway_mode_ipv6", isBehindServer],
  ["com.docker.network.bridge.host_binding_ipv4", always],
  ["com.docker.network.bridge.inhibit_ipv4", always],
  ["com.docker.network.container_iface_prefix", isPlainName],
  ["com.docker.network.driver.mtu", always],
]);

/** Whether containers of the network reach each other. Where not, Docker has the server filter what passes over each of its bridges. */
const ICC_OPTION = "com.docker.network.bridge.enable_icc";
const FILTER = "net.bridge.bridge-nf-call-iptables";
const FILTER_IPV6 = "net.bridge.bridge-nf-call-ip6tables";

/** Names that nothing but Docker and projects have; any other may be that of an interface that comes and goes. */
const FREE_NAMES = "br-";

/** So much is shown of a value. */
const SHOWN = 80;
const shorten = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** Whether all of these are on; what is not seen may be off. */
const areOn = (keys: readonly string[], { networkValue }: Seen): boolean =>
  keys.every((key) => (networkValue(key) ?? 0) > 0);

/** Whether the server passes IPv6 on between all its networks already. */
export const forwardsIpv6 = (seen: Seen): boolean =>
  areOn(["net.ipv6.conf.all.forwarding", "net.ipv6.conf.default.forwarding"], seen);

/**
 * Options of networks by which a project reaches beyond its own: a bridge that the server has already, which Docker makes its own, what
 * it switches on for the whole server, and all that are not known to be harmless.
 */
export function listNetworkOptions(
  target: { name: string; project: ComposeProject },
  networks: readonly NetworkSummary[],
  seen: Seen,
): PlanDanger[] {
  const own = networks.filter(({ Labels }) => Labels?.[PROJECT_LABEL] === target.name);
  const isOwnBridge = (name: string) => own.some(({ Options }) => Options?.[BRIDGE_OPTION] === name);
  const describe = (hasIpv6: boolean, key: string, value: string): readonly [id: string, text: string] | null => {
    if (key === ICC_OPTION) {
      if (/^(1|t|true)$/i.test(value) || areOn(hasIpv6 ? [FILTER, FILTER_IPV6] : [FILTER], seen)) return null;
      const words = `keeps its containers apart: for that Docker switches on for all bridges of this server, for good, that what passes over them is filtered, by which virtual machines and others on a bridge may be cut off`;
      return ["bridge_filter", words];
    }
    if (key !== BRIDGE_OPTION) {
      if (HARMLESS.get(key)?.(value)) return null;
      const words = `is made with the option ${key}: ${shorten(value)}, which may change the network of this server or who reaches it`;
      return [`network_option:${key}`, words];
    }
    // Docker names the bridge itself where the name is empty.
    if (value === "" || isOwnBridge(value)) return null;
    const found = seen.findInterface(value);
    if (found === false && value.startsWith(FREE_NAMES)) return null;
    if (found === false) {
      const words = `is made on a bridge called ${value}: as long as the network is there, also after a restart of this server, nothing else gets that name, and what makes an interface of that name when it starts, as a VPN or virtual machines do, does not start`;
      return [`named_bridge:${value}`, words];
    }
    const has = found === null ? "may have already, which is not seen from here" : "has already";
    const words = `is made on ${value}, which this server ${has}: Docker takes the server's own addresses off it for good, by which the server may be cut off, and its containers are on one network with all that is on there`;
    return [`taken_bridge:${value}`, words];
  };
  const ipv6 = [
    "ipv6_forwarding",
    "has IPv6: for that Docker switches on for all interfaces of this server, for good, that it passes IPv6 on between its networks. Where its own address comes from a router's advertisements it takes no more of them, and may lose its way to the IPv6 Internet",
  ] as const;
  return target.project.networks.flatMap((spec) => {
    const options = Object.entries(spec.driverOpts).map(([key, value]) => describe(spec.hasIpv6, key, value));
    return [...options, spec.hasIpv6 && !forwardsIpv6(seen) ? ipv6 : null].flatMap((found): PlanDanger[] => {
      if (found === null) return [];
      const [id, words] = found;
      return [
        { id: `${spec.name}/${id}`, service: "", text: `The network ${networkNameOf(target, spec.name)} ${words}.` },
      ];
    });
  });
}
