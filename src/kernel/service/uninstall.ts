import { isForeignAccount } from "./account.ts";
import { applyAction, describeAction } from "./actions.ts";
import { type Command, EXIT } from "./cli.ts";
import { installedEnv } from "./env-file.ts";
import type { Host } from "./host.ts";
import { planUninstall } from "./plan-uninstall.ts";
import { layoutOf, onDemandLayoutOf, type ProgramSpec } from "./program.ts";
import { readJournal } from "./upgrade-journal.ts";

/** `uninstall`: takes away what install put there and says each thing; data stays unless told otherwise. */
export function uninstallCommand(host: Host, spec: ProgramSpec): Command {
  return {
    name: "uninstall",
    summary: `Remove the service and the program; data stays unless --delete-data`,
    options: {
      "delete-data": {
        type: "boolean",
        doc: "Also remove databases, keys, settings and the apps with their volumes. There is no way back",
      },
      "dry-run": { type: "boolean", doc: "Print what would change and change nothing" },
    },
    async run(options, print) {
      const isDryRun = options.flag("dry-run");
      if (!isDryRun && !host.isRoot()) throw new Error("only root can uninstall");
      if (readJournal(host, layoutOf(spec)) && !isDryRun)
        throw new Error(`an upgrade is under way; wait for it or look at: journalctl -u ${layoutOf(spec).upgradeUnit}`);
      const deleteData = options.flag("delete-data");
      const apps = await spec.findApps(host, installedEnv(host, spec) ?? { [spec.env.data]: layoutOf(spec).dataDir });
      const plan = planUninstall(host, spec, deleteData, apps);
      if (plan.length === 0) {
        print(`${spec.title} is not installed; nothing was changed.`);
        return EXIT.ok;
      }
      for (const action of plan) {
        print(`${isDryRun ? "would " : ""}${describeAction(action)}`);
        if (!isDryRun) await applyAction(host, action);
      }
      print(describeKept(host, spec, deleteData ? 0 : apps.length, isDryRun));
      return EXIT.ok;
    },
  };
}

function describeKept(host: Host, spec: ProgramSpec, appParts: number, isDryRun: boolean): string {
  const { dataDir, config } = layoutOf(spec);
  const records = onDemandLayoutOf(spec)?.logDir;
  const left = [dataDir, config, ...(records === undefined ? [] : [records])].filter(
    (path) => host.stat(path) !== null,
  );
  if (isForeignAccount(host, spec)) left.push(`the user ${spec.account?.name}, whom the installation did not make`);
  return [
    ...(left.length === 0 || isDryRun ? [] : [`Kept: ${left.join(", ")}.`]),
    ...(appParts === 0 ? [] : [`The apps keep running: ${appParts} containers, networks and volumes of theirs stay.`]),
    "Docker itself and everything that is not ours were left alone.",
  ].join(" ");
}
