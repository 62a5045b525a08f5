import { settled, type Wire } from "../engine-wire.ts";
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
    /** Makes a bridge network; one of that name that exists already stays as it is. */
    createNetwork: ({ name, labels, isInternal, options = {}, hasIpv6 = false, subnets = [] }: NetworkInput) =>
      settled(
        wire.call("POST", "/networks/create", {
          body: {
            Name: name,
            CheckDuplicate: true,
            Driver: "bridge",
            Internal: isInternal,
            Labels: labels,
            ...(Object.keys(options).length === 0 ? {} : { Options: options }),
            ...(hasIpv6 ? { EnableIPv6: true } : {}),
            ...(subnets.length === 0 ? {} : { IPAM: { Config: subnets } }),
          },
        }),
        [409],
      ),
    connectNetwork: (network: string, container: string, aliases: readonly string[]) =>
      settled(
        wire.call("POST", `/networks/${encodeURIComponent(network)}/connect`, {
          body: { Container: container, EndpointConfig: { Aliases: aliases } },
        }),
        // 403: the container is in this network already.
        [403],
      ),
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
