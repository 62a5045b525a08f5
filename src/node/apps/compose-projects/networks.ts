import { sha256Hex } from "../../../lib/digest.ts";
import type { NetworkSpec } from "../compose/index.ts";
import type { ContainerSummary, Engine, NetworkInput, NetworkSummary } from "../runtime/index.ts";
import { networkNameOf, projectLabels, type Target } from "./container-request.ts";
import { HASH_LABEL, NETWORK_LABEL } from "./labels.ts";
import type { FormerContainer } from "./store.ts";

/** What can be chosen of a network, in the file's keys. */
interface Definition {
  internal: boolean;
  labels: Record<string, string>;
  driver_opts: Record<string, string>;
  enable_ipv6: boolean;
  ipam: readonly string[];
}

const sorted = (map: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));

/** Labels that somebody wrote into the file. */
export const ownLabels = (labels: Readonly<Record<string, string>> | null | undefined): Record<string, string> =>
  sorted(
    Object.fromEntries(Object.entries(labels ?? {}).filter(([key]) => !/^(orrery|com\.docker\.compose)\./.test(key))),
  );

const definitionOf = (spec: NetworkSpec): Definition => ({
  internal: spec.isInternal,
  labels: ownLabels(spec.labels),
  driver_opts: sorted(spec.driverOpts),
  enable_ipv6: spec.hasIpv6,
  ipam: spec.subnets.map(({ subnet, gateway, ipRange }) => `${subnet} ${ipRange ?? ""} ${gateway ?? ""}`),
});

const digestOf = (spec: NetworkSpec): string => sha256Hex(JSON.stringify(definitionOf(spec)));

/** Whether what Docker gave a network is what the file asks for; what the file leaves to Docker is as it is. */
function hasAddresses({ subnets }: NetworkSpec, { IPAM }: NetworkSummary): boolean {
  const given = IPAM?.Config ?? [];
  return subnets.every(({ subnet, gateway, ipRange }) =>
    given.some(
      (one) =>
        one.Subnet === subnet &&
        (gateway === null || one.Gateway === gateway) &&
        (ipRange === null || one.IPRange === ipRange),
    ),
  );
}

/** Keys of a network's definition that are other on the engine than in the file. */
export function changedNetworkKeys(spec: NetworkSpec, network: NetworkSummary): string[] {
  const wanted = definitionOf(spec);
  const is = {
    internal: network.Internal ?? false,
    labels: ownLabels(network.Labels),
    driver_opts: sorted(network.Options ?? {}),
    enable_ipv6: network.EnableIPv6 ?? false,
  };
  const keys = (["internal", "labels", "driver_opts", "enable_ipv6"] as const).filter(
    (key) => JSON.stringify(is[key]) !== JSON.stringify(wanted[key]),
  );
  if (!hasAddresses(spec, network)) return [...keys, "ipam"];
  const digest = network.Labels?.[HASH_LABEL];
  // Addresses that the file does not ask for any more are Docker's to choose again; only the digest tells that it once did.
  const isFormerWish = keys.length === 0 && digest !== undefined && digest !== digestOf(spec);
  return isFormerWish ? ["ipam"] : [...keys];
}

/** What Docker is asked for a network of the project. */
export function networkInput(target: Target, spec: NetworkSpec): NetworkInput {
  return {
    name: networkNameOf(target, spec.name),
    labels: {
      ...spec.labels,
      ...projectLabels(target),
      [NETWORK_LABEL]: spec.name,
      [HASH_LABEL]: digestOf(spec),
    },
    isInternal: spec.isInternal,
    options: spec.driverOpts,
    hasIpv6: spec.hasIpv6,
    subnets: spec.subnets.map(({ subnet, gateway, ipRange }) => ({
      Subnet: subnet,
      ...(gateway === null ? {} : { Gateway: gateway }),
      ...(ipRange === null ? {} : { IPRange: ipRange }),
    })),
  };
}

/** A network as it is, to be made once more like this. */
export const networkAsItIs = (network: NetworkSummary): NetworkInput => ({
  name: network.Name,
  labels: network.Labels ?? {},
  isInternal: network.Internal ?? false,
  options: network.Options ?? {},
  hasIpv6: network.EnableIPv6 ?? false,
  // Those that Docker chose are asked for too: whoever wrote one of its addresses down finds it again.
  subnets: network.IPAM?.Config ?? [],
});

/** Names of the networks that a container is in, also while it stands still. */
export const networksOf = ({ NetworkSettings }: ContainerSummary): string[] =>
  Object.keys(NetworkSettings?.Networks ?? {});

/**
 * Makes a network anew and moves the containers that were in it. Docker can rename none, so for a moment there is none of that
 * name; what was done before a crash is not done again. Nothing that runs may be in it.
 */
export async function remakeNetwork(
  engine: Engine,
  input: NetworkInput,
  members: readonly ContainerSummary[],
): Promise<void> {
  const digest = input.labels[HASH_LABEL];
  const known = (await engine.listNetworks({})).filter(({ Name }) => Name === input.name);
  const isDone = (network: NetworkSummary) => digest !== undefined && network.Labels?.[HASH_LABEL] === digest;
  for (const network of known.filter((each) => !isDone(each))) {
    for (const member of members) {
      if (networksOf(member).includes(input.name)) await engine.disconnectNetwork(network.Id, member.Id);
    }
    await engine.removeNetwork(network.Id);
  }
  await engine.createNetwork(input);
}

/** Puts containers back into a network under the names that they had there. */
export async function joinNetwork(engine: Engine, network: string, members: readonly FormerContainer[]): Promise<void> {
  for (const { id, networks } of members) {
    const place = networks.find(({ name }) => name === network);
    if (place) await engine.connectNetwork(network, id, place.aliases);
  }
}
