import type { ComposeProblem } from "../compose/index.ts";
import { KEY_VOLUME_LABEL, nameOf } from "../containers/index.ts";
import type { ContainerSummary, NetworkSummary, VolumeSummary } from "../runtime/index.ts";
import { networkNameOf, type Target, volumeNameOf } from "./container-request.ts";
import type { PlanPart } from "./contract.ts";
import { NETWORK_LABEL, PROJECT_LABEL } from "./labels.ts";
import { changedNetworkKeys, networksOf, ownLabels } from "./networks.ts";

interface PlannedParts {
  parts: PlanPart[];
  problems: ComposeProblem[];
}

/** What the engine has that a project's networks and volumes are compared with. */
interface Found {
  networks: readonly NetworkSummary[];
  volumes: readonly VolumeSummary[];
  containers: readonly ContainerSummary[];
}

const problem = (key: string, message: string, next_step: string): ComposeProblem => ({
  file: "compose.yaml",
  line: 0,
  column: 0,
  key,
  message,
  next_step,
});

/** What is somebody else's has to be there: nothing is done with it. */
const missing = ({ kind, name, on_engine }: Pick<PlanPart, "kind" | "name" | "on_engine">): ComposeProblem =>
  problem(
    `${kind}s.${name}`,
    `there is no ${kind} ${on_engine} on the engine, and the file says that it is somebody else's`,
    "Make it first, correct its name, or remove external:",
  );

function planNetworks(target: Target, { networks, containers }: Found): PlannedParts {
  const { name, project } = target;
  const problems: ComposeProblem[] = [];
  const isOwn = ({ Labels }: NetworkSummary) => Labels?.[PROJECT_LABEL] === name;
  const parts = project.networks.map((spec): PlanPart => {
    const part = { kind: "network" as const, name: spec.name, on_engine: networkNameOf(target, spec.name) };
    const named = networks.filter(({ Name }) => Name === part.on_engine);
    const network = named.find(isOwn) ?? named[0];
    if (spec.isExternal) {
      if (network === undefined) problems.push(missing(part));
      return { ...part, action: "keep", changed: [] };
    }
    if (network === undefined) return { ...part, action: "create", changed: [] };
    const key = `networks.${spec.name}`;
    if (named.length > 1 || !isOwn(network)) {
      const words = `another network is called ${part.on_engine} already`;
      problems.push(problem(key, words, "Choose another name, or remove that network first"));
    }
    const changed = changedNetworkKeys(spec, network);
    if (changed.length === 0) return { ...part, action: "keep", changed };
    const guests = containers.filter(
      (each) => networksOf(each).includes(part.on_engine) && each.Labels[PROJECT_LABEL] !== name,
    );
    if (guests.length > 0) {
      const words = `${changed.join(", ")} changed, which takes a new network, and ${guests.map(nameOf).join(", ")} of others is in this one`;
      problems.push(problem(key, words, "Take that container out of the network, or take the change back"));
    }
    return { ...part, action: "change", changed };
  });
  const named = new Set(parts.map((part) => part.on_engine));
  const unused = networks
    .filter((network) => isOwn(network) && !named.has(network.Name))
    .map(
      ({ Name, Labels }): PlanPart => ({
        kind: "network",
        name: Labels?.[NETWORK_LABEL] ?? Name,
        on_engine: Name,
        action: "remove",
        changed: [],
      }),
    );
  return { parts: [...parts, ...unused], problems };
}

const sameMap = (left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean => {
  const text = (map: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(map).sort());
  return text(left) === text(right);
};

/** Volumes are never made anew: that would be another one without the data. */
function planVolumes(target: Target, { volumes }: Found): PlannedParts {
  const { name, project } = target;
  const problems: ComposeProblem[] = [];
  const parts = project.volumes.map((spec): PlanPart => {
    const part = { kind: "volume" as const, name: spec.name, on_engine: volumeNameOf(target, spec.name) };
    const volume = volumes.find(({ Name }) => Name === part.on_engine);
    if (spec.isExternal) {
      if (volume === undefined) problems.push(missing(part));
      return { ...part, action: "keep", changed: [] };
    }
    const owner = volume?.Labels?.[PROJECT_LABEL];
    // Only who says so gets at the data of others: `a_b` with `c` and `a` with `b_c` mean the same volume. One that nobody
    // labelled and that is called as this project's are is its own, from before. One that was made for an API key stays open to keys.
    const isForKeys = volume?.Labels?.[KEY_VOLUME_LABEL] !== undefined;
    const isForeign = owner === undefined ? isForKeys || spec.engineName !== null : owner !== name;
    if (volume !== undefined && isForeign) {
      const words = `another volume is called ${part.on_engine} already`;
      problems.push(problem(`volumes.${spec.name}`, words, "Choose another name, or write external: true to use it"));
    }
    if (volume === undefined) return { ...part, action: "create", changed: [] };
    const changed = [
      ...(sameMap(volume.Options ?? {}, spec.driverOpts) ? [] : ["driver_opts"]),
      ...(sameMap(ownLabels(volume.Labels), ownLabels(spec.labels)) ? [] : ["labels"]),
    ];
    if (changed.length > 0) {
      const words = `${part.on_engine} is on the engine with other ${changed.join(" and ")}, and Docker changes none of a volume that has data`;
      const next = "Take the change back, or give the volume another name and bring its data over";
      problems.push(problem(`volumes.${spec.name}`, words, next));
    }
    return { ...part, action: "keep", changed };
  });
  return { parts, problems };
}

/** What a deploy would do with networks and volumes, and why it cannot. */
export function planParts(target: Target, found: Found): PlannedParts {
  const planned = [planNetworks(target, found), planVolumes(target, found)];
  return {
    parts: planned.flatMap(({ parts }) => parts),
    problems: planned.flatMap(({ problems }) => problems),
  };
}
