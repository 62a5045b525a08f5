import { BRIDGE_OPTION, type ComposeProject } from "../compose/index.ts";
import type { NetworkSummary } from "../runtime/index.ts";
import { networkNameOf } from "./container-request.ts";
import type { PlanDanger } from "./contract.ts";
import { PROJECT_LABEL } from "./labels.ts";

const always = () => true;
const isBehindServer = (mode: string): boolean => mode === "nat" || mode === "isolated";

/** Options that change nothing but the project's own network, each with the values for which that holds. */
const HARMLESS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["com.docker.network.bridge.enable_icc", always],
  ["com.docker.network.bridge.enable_ip_masquerade", always],
  ["com.docker.network.bridge.gateway_mode_ipv4", isBehindServer],
  ["com.docker.network.bridge.gateway_mode_ipv6", isBehindServer],
  ["com.docker.network.bridge.host_binding_ipv4", always],
  ["com.docker.network.bridge.inhibit_ipv4", always],
  ["com.docker.network.container_iface_prefix", always],
  ["com.docker.network.driver.mtu", always],
]);

/** So much is shown of a value. */
const SHOWN = 80;
const shorten = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/**
 * Options of networks by which a project reaches beyond its own: a bridge that the server has already, which Docker makes its own, and
 * all that are not known to be harmless.
 */
export function listNetworkOptions(
  target: { name: string; project: ComposeProject },
  networks: readonly NetworkSummary[],
  hasInterface: (name: string) => boolean,
): PlanDanger[] {
  const own = networks.filter(({ Labels }) => Labels?.[PROJECT_LABEL] === target.name);
  const isOwnBridge = (name: string) => own.some(({ Options }) => Options?.[BRIDGE_OPTION] === name);
  const describe = (key: string, value: string): readonly [id: string, text: string] | null => {
    if (key !== BRIDGE_OPTION) {
      if (HARMLESS.get(key)?.(value)) return null;
      const words = `is made with the option ${key}: ${shorten(value)}, which may change the network of this server or who reaches it`;
      return [`network_option:${key}`, words];
    }
    // Docker names the bridge itself where the name is empty.
    if (value === "" || isOwnBridge(value) || !hasInterface(value)) return null;
    const words = `is made on ${value}, which this server has already: Docker takes the server's own addresses off it for good, by which the server may be cut off, and its containers are on one network with all that is on there`;
    return [`taken_bridge:${value}`, words];
  };
  return target.project.networks.flatMap((spec) =>
    Object.entries(spec.driverOpts).flatMap(([key, value]): PlanDanger[] => {
      const [id, words] = describe(key, value) ?? [];
      if (id === undefined) return [];
      return [
        { id: `${spec.name}/${id}`, service: "", text: `The network ${networkNameOf(target, spec.name)} ${words}.` },
      ];
    }),
  );
}
