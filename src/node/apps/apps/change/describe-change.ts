import type { Blueprint } from "../blueprint/blueprint.ts";
import { resolveInputs } from "../blueprint/inputs.ts";
import { limitsOf } from "../blueprint/limits.ts";
import type { AppConfig, PlannedChange } from "../contract.ts";
import { portName, reachOf } from "../plan/reach.ts";
import type { PortRow } from "../store.ts";

const MIB = 1_048_576;
const REACH_WORDS = { loopback: "this server only", lan: "your network" };

/** What an app is made from, before or after a change. */
type Side = Pick<Blueprint, "manifest" | "project"> & { config: AppConfig; ports: readonly Omit<PortRow, "app_id">[] };

type Told = Omit<PlannedChange, "from" | "to"> & { value: string | null };

function tellInputs({ manifest, config }: Side): Told[] {
  const answers = resolveInputs(manifest.inputs, config.inputs ?? {});
  return manifest.inputs.map(({ key, label }) => ({ kind: "input", name: key, label, value: answers[key] ?? null }));
}

/** One entry a port and protocol; the same number for TCP and UDP is told once. */
function tellPorts({ ports }: Side): Told[] {
  return ports.flatMap((port): Told[] => {
    const name = portName(port);
    return [
      { kind: "port", name: `${name}/${port.protocol}`, label: `Port for ${port.purpose}`, value: String(port.host) },
      { kind: "reach", name, label: `Who can reach ${port.purpose}`, value: REACH_WORDS[reachOf(port.bind)] },
    ];
  });
}

function tellLimits({ project, manifest, config }: Side): Told[] {
  return project.services.flatMap((service): Told[] => {
    const { memory_bytes, cpus } = limitsOf(service, manifest, config);
    const { name } = service;
    return [
      {
        kind: "limit",
        name: `${name}/memory`,
        label: `Memory limit of ${name}`,
        value: memory_bytes === null ? null : `${Math.round(memory_bytes / MIB)} MB`,
      },
      {
        kind: "limit",
        name: `${name}/cpus`,
        label: `Processor limit of ${name}`,
        value: cpus === null ? null : String(cpus),
      },
    ];
  });
}

const tell = (side: Side): Told[] => [...tellInputs(side), ...tellPorts(side), ...tellLimits(side)];

/** What differs between two sides, in words; passwords are never among them. */
export function describeChange(before: Side, after: Side): PlannedChange[] {
  const hidden = new Set(before.manifest.inputs.filter(({ type }) => type === "password").map(({ key }) => key));
  const former = new Map(tell(before).map((told) => [`${told.kind} ${told.name}`, told.value]));
  const changes = new Map<string, PlannedChange>();
  for (const { value, ...told } of tell(after)) {
    const from = former.get(`${told.kind} ${told.name}`) ?? null;
    if (from === value) continue;
    const isHidden = told.kind === "input" && hidden.has(told.name);
    const name = told.name.replace(/\/.*$/, "");
    const change = { ...told, name, from: isHidden ? null : from, to: isHidden ? null : value };
    changes.set(`${told.kind} ${told.label} ${change.from} ${change.to}`, change);
  }
  return [...changes.values()];
}

/** A change as one line for the record. */
export const changeLine = ({ label, from, to }: PlannedChange): string =>
  from === null && to === null ? `${label}: changed` : `${label}: ${from ?? "none"} to ${to ?? "none"}`;
