import { nameOf } from "../containers/index.ts";
import type { Engine } from "../runtime/index.ts";
import type { Target } from "./container-request.ts";
import type { Plan } from "./contract.ts";
import { PROJECT_LABEL } from "./labels.ts";
import { networkAsItIs } from "./networks.ts";
import { listProjectContainers, serviceOf } from "./project-containers.ts";
import type { Before, FormerContainer } from "./store.ts";

/** What a deploy finds, in as much detail as it takes to bring it back; containers in the order of the new file. */
export async function readBefore(engine: Engine, { name, node, project }: Target, plan: Plan): Promise<Before> {
  const order = project.services.map((service) => service.name);
  const found = (await listProjectContainers(engine, name, node)).sort(
    (left, right) => order.indexOf(serviceOf(left)) - order.indexOf(serviceOf(right)),
  );
  const containers: FormerContainer[] = [];
  for (const container of found) {
    const info = await engine.inspectContainer(container.Id);
    if (info === null) continue;
    const networks = Object.entries(info.NetworkSettings.Networks).map(([network, { Aliases }]) => ({
      name: network,
      // Docker adds the container's own id.
      aliases: (Aliases ?? []).filter((alias) => alias !== info.Id.slice(0, 12)),
    }));
    const isRunning = info.State.Running || info.State.Restarting;
    containers.push({ id: info.Id, name: nameOf(container), isRunning, networks });
  }
  const networks = await engine.listNetworks({ [PROJECT_LABEL]: name });
  const named = (action: string) =>
    new Set(
      plan.parts.filter((part) => part.kind === "network" && part.action === action).map((part) => part.on_engine),
    );
  const [changed, unused] = [named("change"), named("remove")];
  return {
    containers,
    networks: networks.map(({ Name }) => Name),
    changed: networks.filter(({ Name }) => changed.has(Name)).map(networkAsItIs),
    unused: networks.filter(({ Name }) => unused.has(Name)).map(({ Name }) => Name),
  };
}
