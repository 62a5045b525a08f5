import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { minutes } from "../../lib/duration.ts";
import { applyAction } from "./actions.ts";
import { type Command, EXIT, UsageError } from "./cli.ts";
import { installedEnv } from "./env-file.ts";
import { fetchRelease } from "./fetch-release.ts";
import { lockFolder } from "./folder-lock.ts";
import { layoutOf, type ProgramSpec } from "./program.ts";
import { waitingFolder } from "./release.ts";
import { RELEASE_ENV, releaseSource } from "./release-base.ts";
import { BUILT_IN_KEY, readPublicKey } from "./signature.ts";
import { hasSystemd } from "./systemd.ts";
import { carryOutRequest, hasWork } from "./upgrade-asked.ts";
import { readJournal, readOutcome, type UpgradeJournal } from "./upgrade-journal.ts";
import type { UpgradeDeps } from "./upgrade-run.ts";
import { stageUpgrade } from "./upgrade-stage.ts";

const PHASES: Record<string, string> = {
  staged: "copying the databases",
  swapping: "putting the new release in place",
  trial: "the new release runs; watching whether it answers",
  rolling_back: "putting the old release and its databases back",
};

/** The key that decides which releases are accepted. Throws when there is none or two could apply. */
function trustedKey(file: string | undefined) {
  if (BUILT_IN_KEY !== "") {
    if (file !== undefined)
      throw new Error("this build carries the key of its maker; --public-key is for builds without one");
    return readPublicKey(BUILT_IN_KEY);
  }
  if (file === undefined) throw new Error("this build carries no release key; say which to trust: --public-key FILE");
  return readPublicKey(readFileSync(file, "utf8"));
}

/**
 * Hands a staged upgrade to its own unit, which outlives this process, and follows it to its end. Returns the exit code.
 */
export async function followUpgrade(deps: UpgradeDeps, entry: UpgradeJournal): Promise<number> {
  const { host, clock, spec, print } = deps;
  const layout = layoutOf(spec);
  const unit = layout.upgradeUnit;
  await applyAction(host, { kind: "run", argv: ["systemctl", "start", "--no-block", unit], touches: [] });
  print(
    `Upgrading ${entry.from.version} -> ${entry.to.version}. This goes on when you close the terminal (journalctl -u ${unit}).`,
  );
  let shown = "";
  const end = clock.monotonic() + minutes(30);
  while (clock.monotonic() < end) {
    const outcome = readOutcome(host, layout);
    if (outcome?.id === entry.id) {
      if (outcome.result === "upgraded") {
        print(`${spec.title} ${outcome.to} is running. The databases as they were: ${outcome.snapshot}`);
        return EXIT.ok;
      }
      print(`${spec.title} ${outcome.to} was not kept: ${outcome.reason}.`);
      print(
        outcome.answers
          ? `${outcome.from} is running again, with its data.`
          : `${outcome.from} is back but does not answer; see: journalctl -u ${spec.name}`,
      );
      return EXIT.failed;
    }
    const phase = readJournal(host, layout)?.phase ?? "";
    if (phase !== shown && PHASES[phase]) print(`  ${PHASES[phase]}`);
    shown = phase;
    await clock.sleep(300);
  }
  throw new Error(`the upgrade has not ended; see: journalctl -u ${unit}`);
}

/** Fetches a release into a folder of root's alone and stages it. */
async function stageVersion(deps: ReleaseDeps, version: string, allowOlder: boolean, key: KeyObject) {
  const { host, clock, spec, env, print } = deps;
  const source = releaseSource({ ...installedEnv(host, spec), ...env }, clock);
  if (!source) throw new Error(`say where releases are: ${RELEASE_ENV.base}=https://… in ${layoutOf(spec).config}`);
  const folder = waitingFolder(spec, "fetched");
  const signal = new AbortController().signal;
  try {
    const { base, downloads } = source;
    await fetchRelease({ host, clock, spec, downloads, key, say: print, signal }, { base, version, folder });
    return await stageUpgrade(deps, `${folder}/${spec.name}`, key, { version, allowOlder });
  } finally {
    host.removeTree(folder);
  }
}

/** What the commands that bring a release work with. */
export interface ReleaseDeps extends UpgradeDeps {
  /** What this process was told. */
  env: Record<string, string>;
}

/** `upgrade --file F` and `upgrade --version X`. */
export function upgradeCommand(makeDeps: (print: (line: string) => void) => ReleaseDeps): Command {
  return {
    name: "upgrade",
    summary: "Replace the installed release by another one; goes back by itself when it does not answer",
    options: {
      file: { type: "string", value: "FILE", doc: "The new program; SHA256SUMS and SHA256SUMS.sig lie beside it" },
      version: { type: "string", value: "VERSION", doc: `The release to fetch from ${RELEASE_ENV.base}` },
      "allow-older": { type: "boolean", doc: "Take a release that is older than the installed one" },
      "public-key": { type: "string", value: "PEM", doc: "Key to trust, for own builds that carry none" },
      resume: { type: "boolean", doc: "Finish or undo an interrupted upgrade (its unit does this)" },
    },
    async run(options, print) {
      const file = options.text("file");
      const version = options.text("version");
      // Asked first: on a wrong command line nothing about the host matters.
      const ways = [file !== undefined, version !== undefined, options.flag("resume")].filter((isGiven) => isGiven);
      if (ways.length !== 1) throw new UsageError("say which program to install: --file FILE or --version VERSION");
      const deps = makeDeps(print);
      if (!deps.host.isRoot()) throw new Error("only root can upgrade");
      if (!hasSystemd(deps.host)) throw new Error("this host does not run systemd");
      const key = () => trustedKey(options.text("public-key"));
      if (options.flag("resume")) {
        const { host, spec } = deps;
        if (!hasWork(host, layoutOf(spec))) return EXIT.ok;
        host.makeDirectory(layoutOf(spec).upgradeDir, 0o700);
        lockFolder(host.real(layoutOf(spec).upgradeDir));
        await carryOutRequest(deps, key);
        return EXIT.ok;
      }
      const allowOlder = options.flag("allow-older");
      const entry =
        version === undefined
          ? await stageUpgrade(deps, resolve(file ?? ""), key(), { allowOlder })
          : await stageVersion(deps, version, allowOlder, key());
      if (entry) return followUpgrade(deps, entry);
      print(`This release runs already; nothing was changed.`);
      return EXIT.ok;
    },
  };
}

/** True while an upgrade of the program is being carried out. */
export function isUpgrading({ host, spec }: { host: UpgradeDeps["host"]; spec: ProgramSpec }): boolean {
  return readJournal(host, layoutOf(spec)) !== null;
}
