import type { Asker } from "../../platform/operations/index.ts";
import { nameOf } from "./container-name.ts";
import { fail, type Volume } from "./contract.ts";
import type { Own } from "./needs.ts";
import { createOwnerFinder, projectOf, requireNoOwner } from "./owners.ts";
import { listNames, orRefused } from "./refusals.ts";

type Deps = Pick<Own, "apps" | "seal" | "runtime">;

/** Every volume with the containers that have it, by name. Throws `runtime_unavailable`. */
export async function listVolumes(deps: Deps): Promise<Volume[]> {
  const engine = deps.runtime.requireEngine();
  const [volumes, containers] = await Promise.all([engine.listVolumes({}), engine.listContainers({})]);
  const ownerOf = createOwnerFinder(deps);
  const users = Map.groupBy(
    containers.flatMap((container) =>
      (container.Mounts ?? []).map(({ Type, Name }) => ({ volume: Type === "volume" ? Name : null, container })),
    ),
    ({ volume }) => volume,
  );
  return volumes
    .map(({ Name, Driver, CreatedAt, Labels }) => ({
      name: Name,
      driver: Driver ?? "local",
      created_at: CreatedAt ?? null,
      used_by: [...new Set((users.get(Name) ?? []).map(({ container }) => nameOf(container)))].sort(),
      project: projectOf(Labels),
      owner: ownerOf(Labels),
    }))
    .sort((left, right) => left.name.localeCompare(right.name));
}

/** Removes a volume with what is in it. Throws `volume_not_found`, `owned_by_…`, `volume_in_use`, `engine_refused`. */
export async function removeVolume(own: Own, by: Asker, name: string): Promise<void> {
  const engine = own.runtime.requireEngine();
  const volumes = await engine.listVolumes({});
  const labels = volumes.find((volume) => volume.Name === name)?.Labels;
  if (labels === undefined) throw fail("volume_not_found", { id: name });
  requireNoOwner(own, name, labels);
  const users = (await listVolumes(own)).find((volume) => volume.name === name)?.used_by ?? [];
  if (users.length > 0) throw fail("volume_in_use", { name, users: listNames(users) });
  await orRefused(engine.removeVolume(name));
  own.db.record(() => own.bus.emit("volume.removed", { name, user_id: by.user_id, ip: by.ip }));
}
