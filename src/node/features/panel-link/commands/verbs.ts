import { appVerbs } from "./app-verbs.ts";
import { runProgram } from "./run-program.ts";
import { Refused, textOf, type Verb } from "./verb.ts";

/** The panel keeps tags and groups itself and only says so. */
const acknowledge: Verb = { isRepeatable: true, run: async () => "Noted." };

const refreshInventory: Verb = {
  isRepeatable: true,
  async run({ panelLink }) {
    panelLink.say("tell_all");
    return "The next heartbeat tells everything.";
  },
};

const applyUpdate: Verb = {
  isRepeatable: true,
  async run({ version }, payload) {
    const wanted = textOf(payload, "version");
    if (wanted === version) return `${version} is running.`;
    throw new Refused(
      `This node runs ${version} and cannot fetch ${wanted} itself. Put the release on the server and run: orrery-node upgrade --file FILE`,
    );
  },
};

/** Every command that this node knows. */
export const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ...Object.entries(appVerbs),
  ["run_command", runProgram],
  ["inventory.refresh", refreshInventory],
  ["update.apply", applyUpdate],
  ["tag", acknowledge],
  ["untag", acknowledge],
]);
