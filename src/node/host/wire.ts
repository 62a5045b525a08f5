/** What the node does to the machine itself, outside of the sandbox that it runs in. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { componentsFeature, createComponents } from "./components/index.ts";
import type { Needs as ComponentsNeeds } from "./components/needs.ts";
import { createHostCommand, createHostRole, type HostRole, hostRoleFeature } from "./host-role/index.ts";
import type { Needs as HostRoleNeeds } from "./host-role/needs.ts";
import { createHostTerminals, hostTerminalsFeature } from "./host-terminals/index.ts";
import type { Needs as HostTerminalNeeds } from "./host-terminals/needs.ts";

/** The static halves of the area, in boot order. */
export const hostFeatures = [
  hostRoleFeature,
  componentsFeature,
  hostTerminalsFeature,
] as const satisfies readonly NodeFeature[];

/** The verbs that the area gives the command line. */
export const hostCommands: readonly Command[] = [createHostCommand()];

type Needs = HostRoleNeeds & Omit<ComponentsNeeds & HostTerminalNeeds, "hostRole">;

/** Makes the features of the area; the order of the lines is the boot order. With `standIn` nothing asks the machine itself. */
export function wireHost(base: Needs, standIn?: HostRole) {
  const hostRole = createHostRole(base);
  const components = createComponents({ ...base, hostRole: standIn ?? hostRole });
  const hostTerminals = createHostTerminals({ ...base, hostRole: standIn ?? hostRole });
  return {
    hostRole,
    components,
    hostTerminals,
    parts: [hostRole, components, hostTerminals] satisfies readonly Part[],
  };
}
