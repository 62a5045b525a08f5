import { isRecord, parseJson } from "../../lib/json.ts";
import type { Host } from "./host.ts";
import { type Layout, layoutOf, type ProgramSpec } from "./program.ts";
import type { ReleaseFile } from "./release.ts";

/**
 * How far an upgrade has come. `staged`: nothing of the running system has changed. `swapping`: databases are copied,
 * the new release is being put in place. `trial`: it runs and is watched. `rolling_back`: the old state is put back.
 */
export type UpgradePhase = "staged" | "swapping" | "trial" | "rolling_back";

/** The upgrade under way, written before each step so that it can be finished or undone after any crash. */
export interface UpgradeJournal {
  id: string;
  phase: UpgradePhase;
  /** Times somebody has begun to work on this phase of it. */
  attempts: number;
  from: { release: string; version: string };
  to: { release: string; version: string };
  /** Units and admin command of the new release. */
  files: readonly ReleaseFile[];
  /** Files of the new release that the old one does not have: rolling back removes them. */
  added: readonly string[];
  snapshot: string;
  /** URL that answers when the program is well. */
  url: string;
  started_at: string;
  /** Why it is being undone. */
  reason: string | null;
  /** Id of the request of the service that it carries out; null when it was begun by hand. */
  request: string | null;
}

/** How an upgrade ended. `abandoned`: before anything was touched. `refused`: the release was not even begun with. */
export interface UpgradeOutcome {
  id: string;
  result: "upgraded" | "rolled_back" | "abandoned" | "refused";
  request: string | null;
  from: string;
  to: string;
  /** Why the new release was not kept; null when it was. */
  reason: string | null;
  /** False when even the old release does not answer after rolling back. */
  answers: boolean;
  snapshot: string;
  finished_at: string;
}

/** The upgrade under way, if there is one. */
export function readJournal(host: Host, { journal }: Layout): UpgradeJournal | null {
  const value = parseJson(host.read(journal) ?? "");
  return isRecord(value) && typeof value["phase"] === "string" ? (value as unknown as UpgradeJournal) : null;
}

/** How the last upgrade ended, if there was one. */
export function readOutcome(host: Host, { lastUpgrade }: Layout): UpgradeOutcome | null {
  const value = parseJson(host.read(lastUpgrade) ?? "");
  return isRecord(value) && typeof value["result"] === "string" ? (value as unknown as UpgradeOutcome) : null;
}

/** Stores the journal; when this returns it survives a power cut. */
export function writeJournal(host: Host, { journal }: Layout, entry: UpgradeJournal): void {
  host.write(journal, `${JSON.stringify(entry, null, 2)}\n`, 0o600);
}

/** Stores how an upgrade ended. */
export function writeOutcome(host: Host, { lastUpgrade }: Layout, outcome: UpgradeOutcome): void {
  host.write(lastUpgrade, `${JSON.stringify(outcome, null, 2)}\n`, 0o600);
}

/** Ends the upgrade: the outcome is stored first, so that it is never lost. */
export function closeJournal(host: Host, spec: ProgramSpec, outcome: UpgradeOutcome): void {
  const layout = layoutOf(spec);
  writeOutcome(host, layout, outcome);
  host.remove(layout.hold);
  host.remove(layout.journal);
}
