/** Changes: what people have their nodes do. */
import type { Part } from "../../kernel/feature.ts";
import type { PanelFeature } from "../event-meaning.ts";
import { commandsFeature, createCommands } from "./commands/index.ts";
import type { Needs } from "./commands/needs.ts";

/** The static halves of the area, in boot order. */
export const changeFeatures = [commandsFeature] as const satisfies readonly PanelFeature[];

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireChanges(base: Needs) {
  const commands = createCommands(base);
  return { commands, parts: [commands] satisfies readonly Part[] };
}
