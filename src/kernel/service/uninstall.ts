import { applyAction, describeAction } from "./actions.ts";
import { type Command, EXIT } from "./cli.ts";
import type { Host } from "./host.ts";
import { planUninstall } from "./plan-uninstall.ts";
import { layoutOf, type ProgramSpec } from "./program.ts";
import { readJournal } from "./upgrade-journal.ts";

/** `uninstall`: takes away what install put there and says each thing; data stays unless told otherwise. */
export function uninstallCommand(host: Host, spec: ProgramSpec): Command {
  return {
    name: "uninstall",
    summary: `Remove the service and the program; data stays unless --delete-data`,
    options: {
      "delete-data": { type: "boolean", doc: "Also remove databases, keys and settings. There is no way back" },
      "dry-run": { type: "boolean", doc: "Print what would change and change nothing" },
    },
    async run(options, print) {
      const isDryRun = options.flag("dry-run");
      if (!isDryRun && !host.isRoot()) throw new Error("only root can uninstall");
      if (readJournal(host, layoutOf(spec)) && !isDryRun)
        throw new Error(`an upgrade is under way; wait for it or look at: journalctl -u ${layoutOf(spec).upgradeUnit}`);
      const plan = planUninstall(host, spec, options.flag("delete-data"));
      if (plan.length === 0) {
        print(`${spec.title} is not installed; nothing was changed.`);
        return EXIT.ok;
      }
      for (const action of plan) {
        print(`${isDryRun ? "would " : ""}${describeAction(action)}`);
        if (!isDryRun) await applyAction(host, action);
      }
      print(kept(host, spec));
      return EXIT.ok;
    },
  };
}

function kept(host: Host, spec: ProgramSpec): string {
  const { dataDir, config } = layoutOf(spec);
  const containers = "Docker and every container were left alone.";
  const left = [dataDir, config].filter((path) => host.stat(path) !== null);
  return left.length === 0 ? containers : `Kept: ${left.join(", ")}. ${containers}`;
}
