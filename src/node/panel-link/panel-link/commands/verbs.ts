import { appVerbs } from "./app-verbs.ts";
import { runProgram } from "./run-program.ts";
import { updateVerb } from "./update.ts";
import { thisMachine } from "./update-place.ts";
import type { Verb } from "./verb.ts";

/** The panel keeps tags and groups itself and only says so. */
const acknowledge: Verb = { isRepeatable: true, run: async () => "Noted." };

const refreshInventory: Verb = {
  isRepeatable: true,
  async run({ panelLink }) {
    panelLink.say("tell_all");
    return "The next heartbeat tells everything.";
  },
};

/** Every command that this node knows. */
export const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ...Object.entries(appVerbs),
  ["run_command", runProgram],
  ["inventory.refresh", refreshInventory],
  ["update.apply", updateVerb(thisMachine)],
  ["tag", acknowledge],
  ["untag", acknowledge],
]);
