import { minutes } from "../../lib/duration.ts";
import type { Ids } from "../../lib/ids.ts";
import { hostPort } from "../config.ts";
import { type Action, applyAction, describeAction } from "./actions.ts";
import { type Command, type CommandOptions, EXIT, UsageError } from "./cli.ts";
import { installedListen, localUrl, releaseOf } from "./env-file.ts";
import { greet, reachableUrls } from "./greeting.ts";
import { planInstall, planReplace } from "./plan-install.ts";
import { choosePort, installProblems } from "./preflight.ts";
import { layoutOf } from "./program.ts";
import { releaseFile, releaseName } from "./release.ts";
import { unitState } from "./systemd.ts";
import { followUpgrade, isUpgrading, type ReleaseDeps } from "./upgrade.ts";
import { assertNotOlder, stageUpgrade } from "./upgrade-stage.ts";
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
  if (options.flag("json") && !options.flag("dry-run")) throw new UsageError("--json goes with --dry-run");
  if (options.flag("dry-run")) return preview(deps, options);
  const problems = installProblems(host, spec);
  if (problems.length > 0) throw new Error(`cannot install:\n  ${problems.join("\n  ")}`);
  if (isUpgrading(deps)) throw new Error(describeBusy(deps));
  const { self, release, installed } = await findRelease(deps);
  // A newer file over an installed one is an upgrade, with all its safety; it is trusted because it runs already.
  if (installed !== null && installed !== release) {
    const entry = await stageUpgrade(deps, self, null, { allowOlder: options.flag("allow-older") });
    const code = entry ? await followUpgrade(deps, entry) : EXIT.ok;
    return code === EXIT.ok ? waitAndGreet(deps) : code;
  }
  const plan = await makePlan(deps, options, self, release);
  for (const action of plan) {
    print(describeAction(action));
    await applyAction(host, action);
  }
  if (plan.length === 0) print("Everything is in place; nothing was changed.");
  return waitAndGreet(deps);
}

const describeBusy = ({ spec }: InstallDeps) =>
  `an upgrade is under way; see: journalctl -u ${layoutOf(spec).upgradeUnit}`;

/** The running program file, the name that its release gets, and the release that is installed. */
async function findRelease({ host, spec }: InstallDeps) {
  const self = host.ownFile() ?? "";
  const release = await releaseName(host, spec, spec.version, (await host.sha256(self)) ?? "");
  return { self, release, installed: releaseOf(host, layoutOf(spec).current) };
}

/** `--dry-run`: what would be done, or why it would not. Fails when it would be refused, so that scripts can ask. */
async function preview(deps: InstallDeps, options: CommandOptions): Promise<number> {
  const { host, spec, print } = deps;
  const notes: string[] = [];
  const problems = [...installProblems(host, spec), ...(isUpgrading(deps) ? [describeBusy(deps)] : [])];
  let plan: Action[] = [];
  try {
    const { self, release, installed } = await findRelease(deps);
    if (installed !== null && installed !== release) {
      await assertNotOlder(deps, installed, options.flag("allow-older"));
      plan = planReplace(host, spec, self, release);
      const { snapshots } = layoutOf(spec);
      notes.push(`The databases are copied to ${snapshots}/ before, and put back if the new release does not answer.`);
    } else plan = await makePlan({ ...deps, print: (line) => void notes.push(line) }, options, self, release);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (options.flag("json"))
    print(JSON.stringify({ would_refuse: problems, notes, plan: plan.map(hideSecret) }, null, 2));
  else {
    for (const problem of problems) print(`would refuse: ${problem}`);
    for (const line of notes) print(line);
    for (const action of plan) print(`would ${describeAction(action)}`);
    if (plan.length + problems.length === 0) print("Everything is in place; nothing would change.");
  }
  return problems.length > 0 ? EXIT.failed : EXIT.ok;
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
    const { host: address, port } = readListen(wish);
    if (port === 0 || !host.isPortFree(address, port))
      throw new Error(`${wish} is not free; choose another --listen HOST:PORT`);
    return wish;
  }
  const port = choosePort(host, spec, "0.0.0.0");
  if (port !== spec.port) print(`Port ${spec.port} is taken by another program; taking ${port} instead.`);
  return `0.0.0.0:${port}`;
}

function readListen(wish: string): { host: string; port: number } {
  try {
    return hostPort(wish);
  } catch (error) {
    throw new UsageError(`--listen ${error instanceof Error ? error.message : "is not understood"}`);
  }
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
