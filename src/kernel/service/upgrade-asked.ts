import type { KeyObject } from "node:crypto";
import { toIso } from "../../lib/clock.ts";
import { releaseOf } from "./env-file.ts";
import type { Host } from "./host.ts";
import { type Layout, layoutOf } from "./program.ts";
import { waitingFolder } from "./release.ts";
import { readJournal, readOutcome, type UpgradeOutcome, writeOutcome } from "./upgrade-journal.ts";
import { takenRequest, takeRequest, type UpgradeRequest } from "./upgrade-request.ts";
import { runUpgrade, type UpgradeDeps } from "./upgrade-run.ts";
import { stageUpgrade } from "./upgrade-stage.ts";

/** True while there is something for the upgrade unit to do; its conditions ask the same. */
export function hasWork(host: Host, { journal, request, takenRequest: taken }: Layout): boolean {
  return [journal, request, taken].some((path) => host.stat(path) !== null);
}

/**
 * What the upgrade unit does: finishes or undoes the upgrade under way, or else carries out what the service asks for. One of
 * them only, because another one may be for another release of this very program; the unit is started again for the rest.
 * Throws when it has to be started again at once.
 */
export async function carryOutRequest(deps: UpgradeDeps, key: () => KeyObject): Promise<void> {
  const { host, spec } = deps;
  const layout = layoutOf(spec);
  if (!readJournal(host, layout)) await stageRequest(deps, key);
  // A power cut may have left it behind, as large as the program.
  host.removeTree(waitingFolder(spec, "asked"));
  await runUpgrade(deps);
  const taken = takenRequest(host, layout);
  if (taken && readOutcome(host, layout)?.request === taken.id) host.remove(layout.takenRequest);
}

async function stageRequest(deps: UpgradeDeps, key: () => KeyObject): Promise<void> {
  const { host, spec } = deps;
  const layout = layoutOf(spec);
  const current = releaseOf(host, layout.current);
  if (current !== null && releaseOf(host, layout.knownGood) !== current) {
    // A crash at the very end of the last upgrade: this process is not the release that it would have to go back to.
    host.link(layout.knownGood, `releases/${current}`);
    throw new Error("the last upgrade is finished now; starting again with its release");
  }
  const request = takeRequest(host, layout);
  // Carried out already, and asked for once more by a crash.
  if (!request || readOutcome(host, layout)?.request === request.id) return;
  const { id, version, allow_older } = request;
  try {
    const terms = { version, allowOlder: allow_older, request: id };
    const entry = await stageUpgrade(deps, `${layout.fetched}/${spec.name}`, key(), terms);
    if (entry === null) conclude(deps, request, "upgraded", null);
  } catch (error) {
    conclude(deps, request, "refused", error instanceof Error ? error.message : String(error));
  }
}

/** Writes down how a request ended that no upgrade was begun for. */
function conclude(
  { host, clock, spec, print }: UpgradeDeps,
  { id, version }: UpgradeRequest,
  result: UpgradeOutcome["result"],
  reason: string | null,
): void {
  const now = toIso(clock.now());
  print(`update to ${version}: ${reason ?? "it runs already"}`);
  writeOutcome(host, layoutOf(spec), {
    id: now,
    result,
    request: id,
    from: spec.version,
    to: version,
    reason,
    answers: true,
    snapshot: "",
    finished_at: now,
  });
}
