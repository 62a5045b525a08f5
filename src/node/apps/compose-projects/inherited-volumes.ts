import type { ServiceSpec } from "../compose/index.ts";
import { nameOf } from "../containers/index.ts";
import type { ContainerMount, ContainerSpec, ContainerSummary } from "../runtime/index.ts";
import { containerNameOf, containerRequest, type Target } from "./container-request.ts";
import type { PlanAction, PlanNote } from "./contract.ts";
import { serviceOf } from "./project-containers.ts";

/** Docker's name of a volume that nobody has named. */
const UNNAMED = /^[0-9a-f]{64}$/;

/**
 * The container whose unnamed volumes the next one of a service takes over: the one that is called as the service's, or the only one
 * that it has. `nameBefore` says what each was called before anything of it was put aside; null for one that was not there then.
 */
export function findFormer(
  { name }: Pick<Target, "name">,
  service: ServiceSpec,
  containers: readonly ContainerSummary[],
  nameBefore: (container: ContainerSummary) => string | null,
): ContainerSummary | undefined {
  const all = containers.filter((each) => serviceOf(each) === service.name && nameBefore(each) !== null);
  const named = all.find((each) => nameBefore(each) === containerNameOf(name, service));
  return named ?? (all.length === 1 ? all[0] : undefined);
}

/** The unnamed volumes of the container before it for which the request has nothing of its own. */
function listInherited(request: ContainerSpec, { Mounts = [] }: ContainerSummary): ContainerMount[] {
  const host = request["HostConfig"];
  if (typeof host !== "object" || host === null) return [];
  const given = "Mounts" in host && Array.isArray(host.Mounts) ? host.Mounts : [];
  const binds =
    "Binds" in host && Array.isArray(host.Binds) ? host.Binds.map((bind) => String(bind).split(":")[1]) : [];
  const taken = new Set([...given.map(({ Target }) => Target), ...binds]);
  return Mounts.filter(
    ({ Type, Name, Destination }) => Type === "volume" && UNNAMED.test(Name ?? "") && !taken.has(Destination),
  );
}

/**
 * The request with the unnamed volumes of the container before it, as Compose hands them over: an image that keeps its data in a
 * volume of its own would begin with nothing otherwise.
 */
export function inheritedMounts(request: ContainerSpec, former: ContainerSummary): ContainerSpec {
  const host = request["HostConfig"];
  if (typeof host !== "object" || host === null) return request;
  const given = "Mounts" in host && Array.isArray(host.Mounts) ? host.Mounts : [];
  const inherited = listInherited(request, former).map(({ Name, Destination, RW }) => ({
    ...{ Type: "volume", Source: Name, Target: Destination, ReadOnly: !RW },
  }));
  return { ...request, HostConfig: { ...host, Mounts: [...given, ...inherited] } };
}

/** Says of each service that is made anew which unnamed volumes go over to it. */
export function noteInherited(
  target: Target,
  actions: readonly PlanAction[],
  containers: readonly ContainerSummary[],
): PlanNote[] {
  return target.project.services.flatMap((service) => {
    if (!actions.some(({ action, service: name }) => action === "change" && name === service.name)) return [];
    const former = findFormer(target, service, containers, nameOf);
    if (former === undefined) return [];
    const places = listInherited(containerRequest(target, service), former).map(({ Destination }) => Destination);
    if (places.length === 0) return [];
    const text = `${service.name} goes on with the unnamed volumes of ${nameOf(former)} at ${places.sort().join(", ")}.`;
    return [{ service: service.name, text }];
  });
}
