import { type Clock, toIso } from "../../lib/clock.ts";
import { applyAction, wantFile, wantGone } from "./actions.ts";
import { restoreDatabases, snapshotDatabases } from "./data-files.ts";
import type { Host } from "./host.ts";
import { layoutOf, type ProgramSpec } from "./program.ts";
import { filesOf, type ReleaseFile } from "./release.ts";
import {
  closeJournal,
  readJournal,
  type UpgradeJournal,
  type UpgradeOutcome,
  type UpgradePhase,
  writeJournal,
} from "./upgrade-journal.ts";
import { dropRelease, keepReleases, keepSnapshot } from "./upgrade-prune.ts";
import { watchStart } from "./upgrade-watch.ts";

export interface UpgradeDeps {
  host: Host;
  clock: Clock;
  spec: ProgramSpec;
  print(line: string): void;
}

/** A phase that was begun this often without coming to its end is given up. */
const MAX_ATTEMPTS = 3;

/**
 * Carries on the upgrade in the journal from wherever it stands; null when there is none. Every step may be repeated, so
 * a crash at any point is answered by calling this again.
 */
export async function runUpgrade(deps: UpgradeDeps): Promise<UpgradeOutcome | null> {
  const entry = readJournal(deps.host, layoutOf(deps.spec));
  if (!entry) return null;
  const outcome = await carryOn(deps, entry);
  tidyUp(deps, entry, outcome);
  return outcome;
}

async function carryOn(deps: UpgradeDeps, entry: UpgradeJournal): Promise<UpgradeOutcome> {
  if (entry.phase === "rolling_back") return rollBack(deps, entry, entry.reason ?? "interrupted");
  if (entry.attempts >= MAX_ATTEMPTS) return rollBack(deps, entry, `interrupted ${entry.attempts} times`);
  const mine = enter(deps, entry, entry.phase);
  try {
    return await goForward(deps, mine);
  } catch (error) {
    // The journal knows how far it came; what was read at the beginning does not.
    const reached = readJournal(deps.host, layoutOf(deps.spec)) ?? mine;
    return rollBack(deps, reached, error instanceof Error ? error.message : String(error));
  }
}

/**
 * After a success one way back is kept. What was refused leaves nothing behind, but while the old release does not answer
 * either, everything stays for the owner to see.
 */
function tidyUp({ host, spec }: UpgradeDeps, { from, to, snapshot }: UpgradeJournal, outcome: UpgradeOutcome): void {
  if (outcome.result === "upgraded") {
    host.link(layoutOf(spec).knownGood, `releases/${to.release}`);
    keepReleases(host, spec, [from.release, to.release]);
    keepSnapshot(host, spec, snapshot);
    return;
  }
  if (!outcome.answers) return;
  dropRelease(host, spec, to.release);
  host.removeTree(snapshot);
}

async function goForward(deps: UpgradeDeps, given: UpgradeJournal): Promise<UpgradeOutcome> {
  const { host, spec } = deps;
  const layout = layoutOf(spec);
  let entry = given;
  if (entry.phase === "staged") {
    await systemctl(host, "stop", layout.serviceUnit);
    snapshotDatabases(host, spec, entry.snapshot);
    entry = enter(deps, entry, "swapping");
  }
  if (entry.phase === "swapping") {
    await systemctl(host, "stop", layout.serviceUnit);
    await placeFiles(host, entry.files);
    host.link(layout.current, `releases/${entry.to.release}`);
    entry = enter(deps, entry, "trial");
  }
  await start(host, layout.serviceUnit);
  const target = { unit: layout.serviceUnit, url: entry.url, version: entry.to.version };
  const verdict = await watchStart(deps, target);
  if (!verdict.ok) return rollBack(deps, entry, verdict.reason);
  return finish(deps, entry, "upgraded", true);
}

/** Puts program, units and databases back to what they were and starts the old release. */
async function rollBack(deps: UpgradeDeps, given: UpgradeJournal, reason: string): Promise<UpgradeOutcome> {
  const { host, spec } = deps;
  const layout = layoutOf(spec);
  const wasTouched = given.phase !== "staged";
  const entry = enter(deps, { ...given, reason }, wasTouched ? "rolling_back" : "staged");
  if (wasTouched) {
    host.write(layout.hold, `${reason}\n`, 0o600);
    await systemctl(host, "stop", layout.serviceUnit);
    host.link(layout.current, `releases/${entry.from.release}`);
    for (const path of entry.added) for (const action of wantGone(host, path)) await applyAction(host, action);
    await placeFiles(host, filesOf(spec));
    restoreDatabases(host, spec, entry.snapshot);
    host.remove(layout.hold);
  }
  await start(host, layout.serviceUnit);
  const target = { unit: layout.serviceUnit, url: entry.url, version: entry.from.version };
  const verdict = await watchStart(deps, target);
  return finish(deps, entry, wasTouched ? "rolled_back" : "abandoned", verdict.ok);
}

function enter(deps: UpgradeDeps, entry: UpgradeJournal, phase: UpgradePhase): UpgradeJournal {
  const next = { ...entry, phase, attempts: phase === entry.phase ? entry.attempts + 1 : 1 };
  writeJournal(deps.host, layoutOf(deps.spec), next);
  deps.print(`upgrade ${entry.from.version} -> ${entry.to.version}: ${phase}${next.reason ? ` (${next.reason})` : ""}`);
  return next;
}

function finish(
  { host, clock, spec, print }: UpgradeDeps,
  entry: UpgradeJournal,
  result: UpgradeOutcome["result"],
  isAnswering: boolean,
): UpgradeOutcome {
  const outcome: UpgradeOutcome = {
    id: entry.id,
    result,
    request: entry.request ?? null,
    from: entry.from.version,
    to: entry.to.version,
    reason: entry.reason,
    answers: isAnswering,
    snapshot: entry.snapshot,
    finished_at: toIso(clock.now()),
  };
  closeJournal(host, spec, outcome);
  print(`upgrade ${outcome.from} -> ${outcome.to}: ${result}`);
  return outcome;
}

async function placeFiles(host: Host, files: readonly ReleaseFile[]): Promise<void> {
  for (const { path, mode, content } of files) {
    for (const action of wantFile(host, path, mode, content)) await applyAction(host, action);
  }
  await systemctl(host, "daemon-reload");
}

async function systemctl(host: Host, ...words: string[]): Promise<void> {
  await applyAction(host, { kind: "run", argv: ["systemctl", ...words], touches: [] });
}

/** Starts without waiting for READY: the watcher judges, and it also sees what systemd does not. */
async function start(host: Host, unit: string): Promise<void> {
  await host.run(["systemctl", "reset-failed", unit]);
  await systemctl(host, "start", "--no-block", unit);
}
