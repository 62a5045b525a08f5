import { seconds } from "../../../../lib/duration.ts";
import { type Engine, EngineError } from "../../runtime/index.ts";
import type { Own } from "../needs.ts";
import { AppFailure, explainEngine, type Failure } from "./failure.ts";

/** Time in which a lost connection to the engine becomes known. */
const CONNECTION_MS = seconds(2);
/** An engine that has just come back still tidies up after itself, and refuses what it does well a moment later. */
const SETTLING_MS = seconds(30);
/** So often in a row work is tried again before it counts as failed. */
const MOST_LOSSES = 8;
const LONGEST_WAIT_MS = seconds(8);

/** What dockerd says while its containerd is on the way down or up. */
const GOING_DOWN =
  /containerd\.sock|transport|connection (error|refused|reset)|shutting down|context canceled|\bEOF\b/i;

/** Whether an error speaks of an engine that is on its way down or up, and of nothing else. */
export function speaksOfLoss(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  return (
    error.status === 0 ||
    (error.status >= 500 && explainEngine(error.message) === null && GOING_DOWN.test(error.message))
  );
}

/**
 * Whether work failed because the engine went away in its middle, rather than for a reason of the app: another engine is there
 * now, or none, or the one that is there has come back a moment ago and refuses without a reason that we know.
 */
export async function wasEngineLost(own: Own, engine: Engine, error: unknown, signal: AbortSignal): Promise<boolean> {
  const isOther = () => own.runtime.engine() !== engine;
  if (isOther()) return true;
  if (!(error instanceof EngineError)) return false;
  const isRefusal = error.status >= 500 && explainEngine(error.message) === null;
  if (error.status !== 0 && !isRefusal) return false;
  await own.clock.sleep(CONNECTION_MS, signal);
  if (isOther() || speaksOfLoss(error)) return true;
  const { returned_at } = own.state;
  return isRefusal && returned_at !== null && own.clock.monotonic() - returned_at < SETTLING_MS;
}

/** Whether the work on an app has not lost the engine too often yet. */
export const isPatient = ({ state }: Pick<Own, "state">, appId: string): boolean =>
  (state.losses.get(appId) ?? 0) <= MOST_LOSSES;

/** Counts one more loss for the work on an app and waits before the next try; false when there have been too many. */
export async function mayTryAgain(own: Own, appId: string, signal: AbortSignal): Promise<boolean> {
  const losses = (own.state.losses.get(appId) ?? 0) + 1;
  own.state.losses.set(appId, losses);
  if (!isPatient(own, appId)) return false;
  await own.clock.sleep(Math.min(250 * 2 ** losses, LONGEST_WAIT_MS), signal);
  return true;
}

/** What is told of work that the engine was lost for too often. */
export function explainLosses(error: unknown): Failure {
  const reason = error instanceof AppFailure || error instanceof EngineError ? error.message.trim() : String(error);
  return {
    code: "runtime_unavailable",
    cause: `Docker went away ${MOST_LOSSES} times in the middle of it. The last time: ${reason}`,
    next_step: "Look why Docker does not stay up (journalctl -u docker), then try again.",
  };
}
