import type { Attach } from "./attach.ts";
import type { Wire } from "./engine-wire.ts";
import { archiveVerbs } from "./verbs/archives.ts";
import { containerVerbs } from "./verbs/containers.ts";
import { imageVerbs } from "./verbs/images.ts";
import { networkVerbs } from "./verbs/networks.ts";
import { outputVerbs } from "./verbs/output.ts";
import { swarmVerbs } from "./verbs/swarm.ts";
import { systemVerbs } from "./verbs/system.ts";
import { terminalVerbs } from "./verbs/terminals.ts";
import { volumeVerbs } from "./verbs/volumes.ts";

/** The fixed list of verbs of the one Docker adapter: nothing else in the node talks to the engine. */
export function createEngine(wire: Wire, attach: Attach) {
  return {
    ...systemVerbs(wire),
    ...containerVerbs(wire),
    ...imageVerbs(wire),
    ...networkVerbs(wire),
    ...volumeVerbs(wire),
    ...archiveVerbs(wire),
    ...outputVerbs(wire),
    ...terminalVerbs(wire, attach),
    ...swarmVerbs(wire),
  };
}

export type Engine = ReturnType<typeof createEngine>;
