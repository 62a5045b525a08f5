import { isRecord, parseJson } from "../../lib/json.ts";
import type { Host } from "./host.ts";
import type { Layout } from "./program.ts";
import { readJournal, readOutcome, type UpgradeOutcome } from "./upgrade-journal.ts";

/** What the service asks of the upgrade unit: to install the release that it has fetched. It names no path. */
export interface UpgradeRequest {
  id: string;
  version: string;
  /** Going back to an older release is meant. */
  allow_older: boolean;
}

/**
 * How far a request has come. `waiting`: nobody has taken it. `under_way`: it is being carried out. `unknown`: there is none
 * of that id, and the last upgrade was not its.
 */
export type RequestState = "waiting" | "under_way" | "unknown" | UpgradeOutcome;

const MAX_BYTES = 4_096;

function parseRequest(text: string | null): UpgradeRequest | null {
  const value = parseJson(text ?? "");
  if (!isRecord(value)) return null;
  const { id, version, allow_older } = value;
  const isUsable = typeof id === "string" && id !== "" && id.length <= 64 && typeof version === "string";
  return isUsable && version.length <= 64 ? { id, version, allow_older: allow_older === true } : null;
}

const toText = (request: UpgradeRequest): string => `${JSON.stringify(request)}\n`;

/** Asks for the release in `layout.fetched`. The folder of the request must be there. */
export function putRequest(host: Host, layout: Layout, request: UpgradeRequest): void {
  host.write(layout.request, toText(request), 0o600);
}

/** Takes a request back; false when somebody has begun with it. */
export function withdrawRequest(host: Host, layout: Layout): boolean {
  const aside = `${layout.request}.withdrawn`;
  if (!moveAway(host, layout.request, aside)) return false;
  host.remove(aside);
  return true;
}

/** How the request of that id stands. */
export function requestState(host: Host, layout: Layout, id: string): RequestState {
  const ended = (): UpgradeOutcome | null => {
    const outcome = readOutcome(host, layout);
    return outcome?.request === id ? outcome : null;
  };
  const over = ended();
  if (over) return over;
  // In the order in which it moves on: whatever happens in between, it is seen in one of these places.
  if (parseRequest(host.read(layout.request))?.id === id) return "waiting";
  if (takenRequest(host, layout)?.id === id) return "under_way";
  if (readJournal(host, layout)?.request === id) return "under_way";
  return ended() ?? "unknown";
}

/** The request that is being carried out, if there is one. */
export function takenRequest(host: Host, layout: Layout): UpgradeRequest | null {
  return parseRequest(host.read(layout.takenRequest));
}

/**
 * Takes the request of the service out of its reach, or goes on with one that was taken before a crash. Null when there is
 * none, it makes no sense, or it was withdrawn.
 */
export function takeRequest(host: Host, layout: Layout): UpgradeRequest | null {
  const begun = takenRequest(host, layout);
  if (begun) return begun;
  const copy = `${layout.takenRequest}.copy`;
  // A folder that is no folder would lead elsewhere.
  if (host.stat(layout.updateDir)?.kind !== "directory" || host.stat(layout.request) === null) return null;
  const request = readPlain(host, layout.request, copy);
  if (request) host.write(layout.takenRequest, toText(request), 0o600);
  if (moveAway(host, layout.request, copy)) host.removeTree(copy);
  else host.remove(layout.takenRequest);
  return takenRequest(host, layout);
}

function readPlain(host: Host, path: string, copy: string): UpgradeRequest | null {
  try {
    host.copyPlain(path, copy, 0o600, MAX_BYTES);
    return parseRequest(host.read(copy));
  } catch {
    return null;
  } finally {
    host.remove(copy);
  }
}

function moveAway(host: Host, from: string, to: string): boolean {
  try {
    host.move(from, to);
  } catch {
    return false;
  }
  return true;
}
