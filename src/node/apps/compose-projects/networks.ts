import { sha256Hex } from "../../../lib/digest.ts";
import type { NetworkSpec } from "../compose/index.ts";
import {
  type ContainerSummary,
  type Engine,
  EngineError,
  type NetworkInput,
  type NetworkSummary,
} from "../runtime/index.ts";
import { networkNameOf, projectLabels, type Target } from "./container-request.ts";
import { HASH_LABEL, NETWORK_LABEL, PROJECT_LABEL } from "./labels.ts";
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

/** The id of the one network with a name, which has to be the project's. Throws EngineError: Docker takes any number of that name. */
function requireOwn(project: string | undefined, name: string, networks: readonly NetworkSummary[]): string {
  const [first, ...more] = networks.filter(({ Name }) => Name === name);
  if (first === undefined) throw new EngineError(404, `there is no network ${name}`);
  if (more.length > 0 || first.Labels?.[PROJECT_LABEL] !== project)
    throw new EngineError(409, `another network is called ${name} already`);
  return first.Id;
}

/** Ids of a project's own networks, by their names in the file. Throws EngineError where another network is called as one of them. */
export async function findOwnNetworks(engine: Engine, target: Target): Promise<ReadonlyMap<string, string>> {
  const networks = await engine.listNetworks({});
  const own = target.project.networks.filter(({ isExternal }) => !isExternal);
  return new Map(own.map(({ name }) => [name, requireOwn(target.name, networkNameOf(target, name), networks)]));
}

/**
 * Makes a network of a project unless it is there, and says its id. Throws EngineError where somebody else made one of that name since
 * the plan; what was made beside it is taken away again.
 */
export async function makeNetwork(engine: Engine, input: NetworkInput): Promise<string> {
  const made = await engine.createNetwork(input);
  try {
    return requireOwn(input.labels[PROJECT_LABEL], input.name, await engine.listNetworks({}));
  } catch (error) {
    // Where it stays the next plan tells of two.
    if (made !== null) await engine.removeNetwork(made).catch(() => null);
    throw error;
  }
}

/**
 * Makes a network anew and moves the containers that were in it. Docker can rename none, so for a moment there is none of that
 * name; what was done before a crash is not done again. Nothing that runs may be in it. Says its id.
 */
export async function remakeNetwork(
  engine: Engine,
  input: NetworkInput,
  members: readonly ContainerSummary[],
): Promise<string> {
  const { [HASH_LABEL]: digest, [PROJECT_LABEL]: project = "" } = input.labels;
  const known = (await engine.listNetworks({ [PROJECT_LABEL]: project })).filter(({ Name }) => Name === input.name);
  const isDone = (network: NetworkSummary) => digest !== undefined && network.Labels?.[HASH_LABEL] === digest;
  for (const network of known.filter((each) => !isDone(each))) {
    for (const member of members) {
      if (networksOf(member).includes(input.name)) await engine.disconnectNetwork(network.Id, member.Id);
    }
    await engine.removeNetwork(network.Id);
  }
  return makeNetwork(engine, input);
}

/** Puts containers back into the network with this id, under the names that they had in the one that was called so before. */
export async function joinNetwork(
  engine: Engine,
  network: { id: string; name: string },
  members: readonly FormerContainer[],
): Promise<void> {
  for (const { id, networks } of members) {
    const place = networks.find(({ name }) => name === network.name);
    if (place) await engine.connectNetwork({ id: network.id }, id, place.aliases);
  }
}
