import { EngineError, settled, type Wire } from "../engine-wire.ts";
import { labelFilter } from "./containers.ts";

export interface NetworkSummary {
  Id: string;
  Name: string;
  Labels: Record<string, string> | null;
  Driver?: string;
  Internal?: boolean;
  Options?: Record<string, string> | null;
  EnableIPv6?: boolean;
  IPAM?: { Config?: SubnetConfig[] | null } | null;
}

/** Addresses of a network, in the Docker API's words. */
export interface SubnetConfig {
  Subnet?: string;
  IPRange?: string;
  Gateway?: string;
  /** Addresses that are given to no container, by name. */
  AuxiliaryAddresses?: Record<string, string>;
}

export interface NetworkInput {
  name: string;
  labels: Record<string, string>;
  isInternal: boolean;
  /** Of the bridge driver. */
  options?: Record<string, string>;
  hasIpv6?: boolean;
  /** Chosen by Docker when left out. */
  subnets?: readonly SubnetConfig[];
}

/** Verbs about networks. */
export function networkVerbs(wire: Wire) {
  return {
    listNetworks: (labels: Record<string, string>) =>
      wire.call<readonly NetworkSummary[]>("GET", "/networks", {
        query: { filters: labelFilter(labels) },
        timeoutMs: 30_000,
      }),
    /** Makes a bridge network and says its id; null where one of that name, whoever's it is, exists already and stays as it is. */
    async createNetwork(input: NetworkInput): Promise<string | null> {
      const { name, labels, isInternal, options = {}, hasIpv6 = false, subnets = [] } = input;
      const body = {
        Name: name,
        CheckDuplicate: true,
        Driver: "bridge",
        Internal: isInternal,
        Labels: labels,
        ...(Object.keys(options).length === 0 ? {} : { Options: options }),
        ...(hasIpv6 ? { EnableIPv6: true } : {}),
        ...(subnets.length === 0 ? {} : { IPAM: { Config: subnets } }),
      };
      try {
        return (await wire.call<{ Id: string }>("POST", "/networks/create", { body })).Id;
      } catch (error) {
        if (error instanceof EngineError && error.status === 409) return null;
        throw error;
      }
    },
    /** Takes a container into a network. By an id it is in that one alone, also when another one is called so at its next start. */
    connectNetwork(network: { id: string } | { name: string }, container: string, aliases: readonly string[]) {
      const [key, pinned] = "id" in network ? [network.id, { NetworkID: network.id }] : [network.name, {}];
      return settled(
        wire.call("POST", `/networks/${encodeURIComponent(key)}/connect`, {
          body: { Container: container, EndpointConfig: { Aliases: aliases, ...pinned } },
        }),
        // 403: the container is in this network already.
        [403],
      );
    },
    /** Takes a container out of a network, whether it runs or not; one that is not in it is no failure. */
    disconnectNetwork: (network: string, container: string) =>
      settled(
        wire.call("POST", `/networks/${encodeURIComponent(network)}/disconnect`, {
          body: { Container: container, Force: true },
        }),
        // 403, and 500 of older engines: it is not in this network.
        [403, 404],
      ),
    removeNetwork: (id: string) => settled(wire.call("DELETE", `/networks/${encodeURIComponent(id)}`)),
  };
}
