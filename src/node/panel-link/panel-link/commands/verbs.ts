import type { Own } from "../needs.ts";
import { appVerbs } from "./app-verbs.ts";
import { runProgram } from "./run-program.ts";
import { updateVerb } from "./update.ts";
import { thisMachine } from "./update-place.ts";
import type { Verb } from "./verb.ts";

/** The panel keeps tags and groups itself and only says so. */
const acknowledge: Verb = { isRepeatable: true, run: async () => "Noted." };

const refreshInventory = ({ standing }: Pick<Own, "standing">): Verb => ({
  isRepeatable: true,
  async run() {
    standing.say("tell_all");
    return "The next heartbeat tells everything.";
  },
});

type Deps = Pick<Own, "apps" | "clock" | "config" | "ownPorts" | "runtime" | "standing" | "version">;

/** Every command that this node knows. */
export const createVerbs = (deps: Deps): ReadonlyMap<string, Verb> =>
  new Map<string, Verb>([
    ...Object.entries(appVerbs(deps)),
    ["run_command", runProgram(deps)],
    ["inventory.refresh", refreshInventory(deps)],
    ["update.apply", updateVerb(deps, () => thisMachine(deps))],
    ["tag", acknowledge],
    ["untag", acknowledge],
  ]);
