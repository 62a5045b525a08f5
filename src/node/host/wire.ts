/** What the node does to the machine itself, outside of the sandbox that it runs in. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { createHostCommand, createHostRole, hostRoleFeature } from "./host-role/index.ts";
import type { Needs as HostRoleNeeds } from "./host-role/needs.ts";

/** The static halves of the area, in boot order. */
export const hostFeatures = [hostRoleFeature] as const satisfies readonly NodeFeature[];

/** The verbs that the area gives the command line. */
export const hostCommands: readonly Command[] = [createHostCommand()];

type Needs = HostRoleNeeds;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireHost(base: Needs) {
  const hostRole = createHostRole(base);
  return { hostRole, parts: [hostRole] satisfies readonly Part[] };
}
