import { settled, type Wire } from "../engine-wire.ts";
import { labelFilter } from "./containers.ts";

export interface NetworkSummary {
  Id: string;
  Name: string;
  Labels: Record<string, string> | null;
  Driver?: string;
  Internal?: boolean;
  IPAM?: { Config?: { Subnet?: string }[] | null } | null;
}

export interface NetworkInput {
  name: string;
  labels: Record<string, string>;
  isInternal: boolean;
}

/** Verbs about networks. */
export function networkVerbs(wire: Wire) {
  return {
    listNetworks: (labels: Record<string, string>) =>
      wire.call<NetworkSummary[]>("GET", "/networks", { query: { filters: labelFilter(labels) }, timeoutMs: 30_000 }),
    /** Makes a bridge network; one of that name that exists already stays as it is. */
    createNetwork: ({ name, labels, isInternal }: NetworkInput) =>
      settled(
        wire.call("POST", "/networks/create", {
          body: { Name: name, CheckDuplicate: true, Driver: "bridge", Internal: isInternal, Labels: labels },
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
    removeNetwork: (id: string) => settled(wire.call("DELETE", `/networks/${encodeURIComponent(id)}`)),
  };
}
