import type { Asker } from "../../platform/operations/index.ts";
import type { ContainerSummary } from "../runtime/index.ts";
import { nameOf } from "./container-name.ts";
import { fail, type Network } from "./contract.ts";
import type { Own } from "./needs.ts";
import { createOwnerFinder, projectOf, requireNoOwner } from "./owners.ts";
import { listNames, orRefused } from "./refusals.ts";

type Deps = Pick<Own, "apps" | "seal" | "runtime">;

const BUILT_IN = ["bridge", "host", "none", "ingress", "docker_gwbridge"];

/** Networks of a container by name: a stopped one is in its networks too, although the engine tells no id of them. */
const networksOf = ({ NetworkSettings }: ContainerSummary): string[] => Object.keys(NetworkSettings?.Networks ?? {});

/** Every network with the containers in it, by name. Throws `runtime_unavailable`. */
export async function listNetworks(deps: Deps): Promise<Network[]> {
  const engine = deps.runtime.requireEngine();
  const [networks, containers] = await Promise.all([engine.listNetworks({}), engine.listContainers({})]);
  const ownerOf = createOwnerFinder(deps);
  return networks
    .map((network) => ({
      id: network.Id,
      name: network.Name,
      driver: network.Driver ?? "",
      internal: network.Internal ?? false,
      subnets: (network.IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? []),
      used_by: containers
        .filter((container) => networksOf(container).includes(network.Name))
        .map(nameOf)
        .sort(),
      project: projectOf(network.Labels),
      owner: ownerOf(network.Labels),
      built_in: BUILT_IN.includes(network.Name),
    }))
    .sort((left, right) => left.name.localeCompare(right.name));
}

/** Removes a network. Throws `network_not_found`, `network_built_in`, `owned_by_…`, `network_in_use`, `engine_refused`. */
export async function removeNetwork(own: Own, by: Asker, id: string): Promise<string> {
  const engine = own.runtime.requireEngine();
  const network = (await listNetworks(own)).find((each) => each.id === id || each.name === id);
  if (!network) throw fail("network_not_found", { id });
  const { name } = network;
  if (network.built_in) throw fail("network_built_in", { name });
  requireNoOwner(own, name, (await engine.listNetworks({})).find(({ Id }) => Id === network.id)?.Labels);
  if (network.used_by.length > 0) throw fail("network_in_use", { name, users: listNames(network.used_by) });
  await orRefused(engine.removeNetwork(network.id));
  own.db.record(() => own.bus.emit("network.removed", { name, user_id: by.user_id, ip: by.ip }));
  return name;
}
