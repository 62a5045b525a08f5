import { minutes } from "../../lib/duration.ts";
import type { Ids } from "../../lib/ids.ts";
import { hostPort } from "../config.ts";
import { type Action, applyAction, describeAction } from "./actions.ts";
import { type Command, type CommandOptions, EXIT } from "./cli.ts";
import { installedListen, localUrl, releaseOf } from "./env-file.ts";
import { greet, reachableUrls } from "./greeting.ts";
import { planInstall, planReplace } from "./plan-install.ts";
import { choosePort, installProblems } from "./preflight.ts";
import { layoutOf } from "./program.ts";
import { releaseFile, releaseName } from "./release.ts";
import { unitState } from "./systemd.ts";
import { followUpgrade, isUpgrading, type ReleaseDeps } from "./upgrade.ts";
import { stageUpgrade } from "./upgrade-stage.ts";
import { answers } from "./upgrade-watch.ts";

export interface InstallDeps extends ReleaseDeps {
  ids: Ids;
}

/** `install`: puts the running program onto its host as a service. Running it again changes only what is not in place. */
export function installCommand(makeDeps: (print: (line: string) => void) => InstallDeps): Command {
  return {
    name: "install",
    summary: "Install this program as a systemd service and start it; safe to run again",
    options: {
      listen: { type: "string", value: "HOST:PORT", doc: "Where the service listens; for a first install only" },
      "allow-older": { type: "boolean", doc: "Go back to this release when a newer one is installed" },
      "dry-run": { type: "boolean", doc: "Print what would change and change nothing" },
      json: { type: "boolean", doc: "With --dry-run: print the plan as JSON" },
    },
    run: (options, print) => install(makeDeps(print), options),
  };
}

async function install(deps: InstallDeps, options: CommandOptions): Promise<number> {
  const { host, spec, print } = deps;
  const isDryRun = options.flag("dry-run");
  const problems = installProblems(host, spec);
  if (problems.length > 0 && isDryRun) for (const problem of problems) print(`would refuse: ${problem}`);
  if (problems.length > 0 && !isDryRun) throw new Error(`cannot install:\n  ${problems.join("\n  ")}`);
  const self = host.ownFile() ?? "";
  if (isUpgrading(deps)) throw new Error(`an upgrade is under way; see: journalctl -u ${layoutOf(spec).upgradeUnit}`);

  const release = await releaseName(host, spec, spec.version, (await host.sha256(self)) ?? "");
  const installed = releaseOf(host, layoutOf(spec).current);
  if (installed !== null && installed !== release) {
    const allowOlder = options.flag("allow-older");
    return replaceRelease(deps, { self, release, isDryRun, allowOlder });
  }

  const plan = await makePlan(deps, options, self, release);
  if (isDryRun) {
    if (options.flag("json")) print(JSON.stringify({ plan: plan.map(hideSecret) }, null, 2));
    else for (const action of plan) print(`would ${describeAction(action)}`);
    if (plan.length === 0 && !options.flag("json")) print("Everything is in place; nothing would change.");
    return EXIT.ok;
  }
  for (const action of plan) {
    print(describeAction(action));
    await applyAction(host, action);
  }
  if (plan.length === 0) print("Everything is in place; nothing was changed.");
  return waitAndGreet(deps);
}

/** A newer file over an installed one is an upgrade, with all its safety; the file is trusted because it runs already. */
async function replaceRelease(
  deps: InstallDeps,
  { self, release, isDryRun, allowOlder }: { self: string; release: string; isDryRun: boolean; allowOlder: boolean },
): Promise<number> {
  const { host, spec, print } = deps;
  if (isDryRun) {
    const { snapshots } = layoutOf(spec);
    for (const action of planReplace(host, spec, self, release)) print(`would ${describeAction(action)}`);
    print(
      `would copy the databases to ${snapshots}/ before, and put everything back if the new release does not answer`,
    );
    return EXIT.ok;
  }
  const entry = await stageUpgrade(deps, self, null, { allowOlder });
  const code = entry ? await followUpgrade(deps, entry) : EXIT.ok;
  return code === EXIT.ok ? waitAndGreet(deps) : code;
}

async function makePlan(deps: InstallDeps, options: CommandOptions, self: string, release: string): Promise<Action[]> {
  const { host, spec, ids, env, print } = deps;
  const layout = layoutOf(spec);
  const { claim } = spec;
  const needsClaim =
    claim !== null &&
    host.stat(`${layout.dataDir}/${claim.file}`) === null &&
    claim.needsOwner(host.real(layout.dataDir));
  const isFresh = host.stat(layout.config) === null;
  if (!isFresh && options.text("listen") !== undefined)
    print(
      `${layout.config} is there already and stays as it is; change ${spec.env.listen} in it and restart the service.`,
    );
  return planInstall(host, spec, {
    self,
    release,
    isCopied: host.stat(releaseFile(spec, release)) !== null,
    listen: isFresh ? chooseListen(deps, options.text("listen"), print) : "",
    env,
    claimToken: needsClaim ? ids.token(15) : null,
    isActive: (await unitState(host, layout.serviceUnit)).active === "active",
  });
}

function chooseListen({ host, spec }: InstallDeps, wish: string | undefined, print: (line: string) => void): string {
  if (wish !== undefined) {
    const { host: address, port } = hostPort(wish);
    if (port === 0 || !host.isPortFree(address, port))
      throw new Error(`${wish} is not free; choose another --listen HOST:PORT`);
    return wish;
  }
  const port = choosePort(host, spec, "0.0.0.0");
  if (port !== spec.port) print(`Port ${spec.port} is taken by another program; taking ${port} instead.`);
  return `0.0.0.0:${port}`;
}

async function waitAndGreet({ host, clock, spec, print }: InstallDeps): Promise<number> {
  const listen = installedListen(host, spec);
  const end = clock.monotonic() + minutes(1);
  while (!(await answers(host, spec, localUrl(listen), null))) {
    if (clock.monotonic() > end) {
      print(`${spec.name} is installed but does not answer; see: journalctl -u ${spec.name}`);
      return EXIT.failed;
    }
    await clock.sleep(200);
  }
  const token = spec.claim === null ? null : host.read(`${layoutOf(spec).dataDir}/${spec.claim.file}`);
  for (const line of greet(spec, reachableUrls(host, listen), token?.trim() ?? null)) print(line);
  return EXIT.ok;
}

function hideSecret(action: Action): Action {
  return action.kind === "file" && action.secret ? { ...action, content: "" } : action;
}
